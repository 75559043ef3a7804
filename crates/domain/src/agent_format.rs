//! How an agent's program takes its prompt, and what it prints.

use crate::word::words;

words! {
    /// How a program takes its prompt.
    PromptMode {
        /// From standard input. Works for prompts of any length.
        Stdin = "stdin",
        /// As an argument: where `{prompt}` stands, else the last one.
        Arg = "arg",
        /// In a variable.
        Env = "env",
        /// In a file, named by an argument: where `{prompt_file}` stands, else the last one.
        File = "file",
    }
}

words! {
    /// What a program prints on standard output.
    OutputFormat {
        /// Text for people. All of it is the agent's own text, but for the prompt's echo.
        Text = "text",
        /// One JSON object or array at the end.
        Json = "json",
        /// A JSON object on each line.
        StreamJson = "stream-json",
    }
}
