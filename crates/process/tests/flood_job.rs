//! A job that prints without end, and many jobs one after another. Alone in its binary because it looks at the
//! memory, the files and the children of the whole process.
#![cfg(target_os = "linux")]

#[cfg(test)]
mod flood_job {
    use std::fs;

    use loopwright_process::{CappedLog, Command, Job, LogLimits, OutputSink, OutputStream, start};

    const FLOOD: u64 = 20_000_000;
    const LIMITS: LogLimits = LogLimits { head: 1_000_000, tail: 4_000_000 };

    struct Keeper(CappedLog);

    impl OutputSink for Keeper {
        fn output(&mut self, _stream: OutputStream, bytes: &[u8]) {
            self.0.write(bytes);
        }
    }

    fn peak_memory_kib() -> u64 {
        let status = fs::read_to_string("/proc/self/status").unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
        line.trim().trim_end_matches(" kB").parse().unwrap()
    }

    fn open_files() -> usize {
        fs::read_dir("/proc/self/fd").unwrap().count()
    }

    fn children() -> String {
        let own = std::process::id();
        fs::read_to_string(format!("/proc/{own}/task/{own}/children")).unwrap_or_default()
    }

    fn shell(script: &str, marker: String) -> Job {
        let command = Command::new("/bin/sh", "/").args(["-c", script]).env("PATH", "/usr/bin:/bin");
        Job::new(command, marker)
    }

    /// One test, because both halves look at the whole process.
    #[tokio::test]
    async fn neither_much_output_nor_many_jobs_leave_traces() {
        let dir = tempfile::tempdir().unwrap();
        let mut keeper = Keeper(CappedLog::create(dir.path().join("log"), LIMITS).unwrap());
        let script = format!(
            "head -c {FLOOD} /dev/zero >&2 & yes 'a line as long as lines of agents usually are, or nearly so' | head -c {FLOOD}; wait"
        );
        let before = peak_memory_kib();
        let ended = start(shell(&script, "flood".to_owned())).unwrap().finish(&mut keeper).await.unwrap();
        let grown = peak_memory_kib() - before;
        assert_eq!((ended.stdout_bytes, ended.stderr_bytes), (FLOOD, FLOOD));
        assert!(grown < 24 * 1024, "memory grew by {grown} KiB");
        let summary = keeper.0.finish();
        assert!(summary.failure.is_none());
        assert_eq!(summary.skipped, 2 * FLOOD - LIMITS.head - LIMITS.tail);

        let files = open_files();
        for number in 0..30 {
            let mut keeper = Keeper(CappedLog::create(dir.path().join("log"), LIMITS).unwrap());
            let job = shell("(setsid true &); sleep 0.01 & echo done", format!("many-{number}"));
            assert!(start(job).unwrap().finish(&mut keeper).await.unwrap().exit.success());
        }
        assert!(open_files() <= files, "files were left open: {files}, then {}", open_files());
        assert_eq!(children().trim(), "", "children were left");
    }
}
