
// For a program that takes no script itself: Node loads this one, in every process that inherits its options.
const { realpathSync } = require("node:fs");

// The script that this process runs.
const running = (() => {
  try {
    return realpathSync(process.argv[1]);
  } catch {
    return "";
  }
})();

// What brought this here is no business of anything that the program starts, except of itself once more.
const handOver = (isProgram) => {
  const left = (process.env.NODE_OPTIONS ?? "").replace(/ *--require "[^"]*loopwright-inside\.cjs"/, "");
  if (left === "") delete process.env.NODE_OPTIONS;
  else process.env.NODE_OPTIONS = left;
  if (isProgram && !process.execArgv.includes(__filename)) process.execArgv.push("--require", __filename);
};
