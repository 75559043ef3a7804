//! A program that prints without end. Alone in its binary because it looks at the memory of the whole process.
#![cfg(target_os = "linux")]

#[cfg(test)]
mod flood {
    use std::fs;

    use loopwright_process::{Command, run};

    const FLOOD: u64 = 400_000_000;

    fn peak_memory_kib() -> u64 {
        let status = fs::read_to_string("/proc/self/status").unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
        line.trim().trim_end_matches(" kB").parse().unwrap()
    }

    #[tokio::test]
    async fn both_streams_are_drained_counted_and_not_kept() {
        let script = format!("head -c {FLOOD} /dev/zero >&2 & head -c {FLOOD} /dev/zero; wait");
        let mut command = Command::new("/bin/sh", "/").args(["-c", &script]).env("PATH", "/usr/bin:/bin");
        command.output_limit = 100_000;
        let before = peak_memory_kib();
        let finished = run(command).await.unwrap();
        let grown = peak_memory_kib() - before;
        assert!(finished.exit.success() && !finished.leaked);
        assert_eq!((finished.output.stdout.len(), finished.output.stderr.len()), (100_000, 100_000));
        assert_eq!(finished.output.discarded, 2 * FLOOD - 200_000);
        assert!(grown < 32 * 1024, "memory grew by {grown} KiB");
    }
}
