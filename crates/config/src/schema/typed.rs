//! Keys that know the type of their values: a key that does not exist, or is read as something else, does not compile.

use std::marker::PhantomData;
use std::time::Duration;

use loopwright_domain::{Automation, BaselineMode, CommitMode, OnLimit, ReviewMode};

use super::KeySpec;
use crate::value::{Value, parse_money, parse_time};

/// A key whose values are read as `T`. All of them are made from the table of keys.
#[derive(Debug)]
pub struct Key<T> {
    pub(crate) spec: &'static KeySpec,
    value: PhantomData<T>,
}

impl<T> Clone for Key<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Key<T> {}

impl<T> Key<T> {
    pub(crate) const fn of(spec: &'static KeySpec) -> Self {
        Self { spec, value: PhantomData }
    }

    /// The dotted key, for whoever shows or writes it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.spec.key
    }
}

/// What a setting can be read as.
pub trait SettingValue: Sized {
    /// What it is where a value cannot be read as this; values are checked when they are set.
    const FALLBACK: Self;

    /// The value as this type.
    fn read(value: &Value) -> Option<Self>;
}

macro_rules! of_text {
    ($($type:ty, $fallback:expr, $read:expr;)*) => {$(
        impl SettingValue for $type {
            const FALLBACK: Self = $fallback;

            fn read(value: &Value) -> Option<Self> {
                match value {
                    Value::Text(text) => $read(text.as_str()),
                    Value::List(_) => None,
                }
            }
        }
    )*};
}

/// Words that a setting can be, for those that nothing but settings know.
macro_rules! choice {
    ($(#[$about:meta])* $name:ident { $($(#[$word_about:meta])* $variant:ident = $word:literal),* $(,)? }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum $name { $($(#[$word_about])* $variant),* }

        impl $name {
            /// The words of all of them.
            pub const WORDS: &[&'static str] = &[$($word),*];

            /// The word in the configuration.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word),* }
            }

            /// The choice with this word.
            #[must_use]
            pub fn parse(word: &str) -> Option<Self> {
                match word { $($word => Some(Self::$variant),)* _ => None }
            }
        }
    };
}

choice! {
    /// What becomes of uncommitted work at the start of a run.
    DirtyMode {
        /// The run does not start.
        Stop = "stop",
        /// It becomes part of the first checkpoint.
        Include = "include",
    }
}

choice! {
    /// What a run does when its state cannot be written.
    StateErrorMode {
        /// A run over tasks holds, others go on.
        Auto = "auto",
        /// It holds before the next agent.
        Hold = "hold",
        /// It goes on and says so.
        Continue = "continue",
    }
}

choice! {
    /// Whether agents work in a sandbox.
    SandboxMode {
        /// Where this machine can do it.
        Auto = "auto",
        /// Nothing starts without.
        On = "on",
        /// Never.
        Off = "off",
    }
}

choice! {
    /// The colours of the app.
    Theme {
        /// As the system has them.
        System = "system",
        /// Light ones.
        Light = "light",
        /// Dark ones.
        Dark = "dark",
    }
}

choice! {
    /// What is written to the log.
    LogLevel {
        /// What failed.
        Error = "error",
        /// What a person should look at, too.
        Warn = "warn",
        /// What happened, too.
        Info = "info",
        /// Everything.
        Debug = "debug",
    }
}

of_text! {
    String, Self::new(), |text: &str| Some(text.to_owned());
    u64, 0, |text: &str| text.parse().ok();
    bool, false, |text: &str| text.parse().ok();
    // A time; none when it is empty.
    Option<Duration>, None, |text: &str| Some(parse_time(text));
    // Money in millionths of a US dollar; none when it is empty.
    Option<u64>, None, |text: &str| Some(parse_money(text));
    Automation, Self::Auto, Self::parse;
    BaselineMode, Self::Run, Self::parse;
    CommitMode, Self::Task, Self::parse;
    OnLimit, Self::Wait, Self::parse;
    DirtyMode, Self::Stop, Self::parse;
    StateErrorMode, Self::Auto, Self::parse;
    SandboxMode, Self::On, Self::parse;
    ReviewMode, Self::Each, Self::parse;
    Theme, Self::System, Self::parse;
    LogLevel, Self::Info, Self::parse;
}

impl SettingValue for Vec<String> {
    const FALLBACK: Self = Self::new();

    fn read(value: &Value) -> Option<Self> {
        match value {
            Value::List(items) => Some(items.clone()),
            Value::Text(_) => None,
        }
    }
}
