//! A model that threads share, each with its part of the weights.

use crate::Result;
use crate::devices::{Device, Split};
use crate::folder::Folder;
use crate::known::open_part;
use crate::model::{Llama, Row};
use crate::weights::Formats;
use std::path::Path;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;
use tensor_layout::checkpoint::Checkpoint;
use tensor_layout::sharding::run::threads::Threads;
use tensor_layout::sharding::run::{RunError, Transport};

/// A task that all devices perform together.
#[derive(Clone)]
enum Task {
    Read { rows: Vec<Row>, wanted: Vec<usize> },
    Forget,
}

/// A model whose devices are threads. Each thread maps its part of the weights, and owns its part of the caches.
pub struct Shared {
    devices: Vec<Worker>,
    context: usize,
}

struct Worker {
    /// `None` once the thread should end.
    tasks: Option<Sender<Task>>,
    logits: Receiver<Result<Vec<f32>>>,
    thread: Option<JoinHandle<()>>,
}

impl Shared {
    /// Starts the threads, each of which opens its part of the weights in the file `packed`, with room for `texts` texts.
    ///
    /// # Errors
    /// As for [`open_part`]: the error of the first device that fails.
    pub fn start(
        folder: &Folder,
        packed: &Path,
        formats: impl Into<Formats>,
        split: Split,
        texts: usize,
    ) -> Result<Self> {
        let formats = formats.into();
        let mut devices = Vec::new();
        let mut opened = Vec::new();
        for end in Threads::connect(split.devices()) {
            let (tasks, next_task) = channel();
            let (send_logits, logits) = channel();
            let (send_context, context) = channel::<Result<usize>>();
            let (config, packed) = (folder.config.clone(), packed.to_owned());
            let run = move || {
                let checkpoint =
                    Folder::open_packed(&packed, Checkpoint::options().device(end.device()));
                let model =
                    checkpoint.as_ref().map_err(ToString::to_string).and_then(|checkpoint| {
                        Device::of_thread(end, split)
                            .and_then(|device| {
                                open_part(&config, checkpoint, formats, texts, Some(device))
                            })
                            .map_err(|error| error.to_string())
                    });
                let mut model = match model {
                    Ok(model) => model,
                    Err(error) => return drop(send_context.send(Err(error.into()))),
                };
                if send_context.send(Ok(model.context())).is_err() {
                    return;
                }
                for task in next_task {
                    match task {
                        Task::Forget => model.forget(),
                        Task::Read { rows, wanted } => {
                            let logits = model.read(&rows, &wanted);
                            // The other devices would wait for messages that a failed device does not send. So it ends, and then
                            // they fail too.
                            let failed = logits.is_err();
                            if send_logits.send(logits).is_err() || failed {
                                return;
                            }
                        }
                    }
                }
            };
            let thread = Some(std::thread::spawn(run));
            devices.push(Worker { tasks: Some(tasks), logits, thread });
            opened.push(context);
        }
        let mut context = 0;
        for opened in opened {
            context = opened.recv().map_err(|_| ended())??;
        }
        Ok(Self { devices, context })
    }

    fn all(&self, task: &Task) -> Result<()> {
        let mut tasks = self.devices.iter().filter_map(|device| device.tasks.as_ref());
        tasks.try_for_each(|tasks| tasks.send(task.clone())).map_err(|_| ended().into())
    }
}

fn ended() -> &'static str {
    "a device that shares the model has ended"
}

impl Llama for Shared {
    /// After an error, the devices have ended.
    fn read(&mut self, rows: &[Row], wanted: &[usize]) -> Result<Vec<f32>> {
        self.all(&Task::Read { rows: rows.to_vec(), wanted: wanted.to_vec() })?;
        // All devices have the same logits. If several devices fail, an error of a device itself is more useful than an error about
        // a device that has ended.
        let mut first = Ok(Vec::new());
        for (number, device) in self.devices.iter().enumerate() {
            match device.logits.recv().unwrap_or_else(|_| Err(ended().into())) {
                Ok(logits) if number == 0 => first = Ok(logits),
                Err(error) if first.is_ok() || !error.is::<RunError>() => {
                    first = Err(error);
                }
                _ => {}
            }
        }
        first
    }

    fn forget(&mut self) {
        // A device that has ended has no texts to forget.
        let _ = self.all(&Task::Forget);
    }

    fn context(&self) -> usize {
        self.context
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        self.devices.iter_mut().for_each(|device| drop(device.tasks.take()));
        for device in &mut self.devices {
            // A thread that panicked has already printed its message.
            let _ = device.thread.take().map(JoinHandle::join);
        }
    }
}
