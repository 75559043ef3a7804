//! How much an agent may do by itself.

use crate::word::words;

words! {
    /// How much an agent may do by itself. It is named in the prompt and mapped to each agent CLI's own options.
    Automation {
        /// Each iteration starts only when a person says so.
        Manual = "manual",
        /// The agent reads and plans; it changes nothing.
        Plan = "plan",
        /// The agent edits files and runs the commands that are allowed to it.
        Auto = "auto",
        /// The agent does what it wants.
        Yolo = "yolo",
    }
}
