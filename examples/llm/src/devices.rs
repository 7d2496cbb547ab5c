//! Devices that share a model: threads of this process, or processes that MPI connects.

use crate::Result;
use crate::config::Dims;
use std::str::FromStr;
use tensor_layout::DType;
#[cfg(feature = "mpi")]
use tensor_layout::sharding::run::processes::Processes;
use tensor_layout::sharding::run::threads::Threads;
use tensor_layout::sharding::run::{Begun, GroupCollective, Transport, TransportError, reshard};
use tensor_layout::sharding::{Mesh, TensorSharding};

/// The number of devices that share a model; as text, a mesh with one axis: `model=4`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Split(usize);

impl Split {
    /// The number of devices.
    pub fn devices(self) -> usize {
        self.0
    }

    /// The rules for all weights in the layout `layout`, and for the two tables of tokens in the layout `tables`. Each device has
    /// some of the heads and some of the hidden features: rows of the weights that compute them, and columns of the weights that
    /// they are multiplied by. It also has some of the tokens. If there are fewer key heads than devices, the heads are split along
    /// the major part of the axis, and devices that differ only in the rest of the axis have the same head.
    pub(crate) fn rules(self, layout: &str, tables: &str, dims: Dims) -> String {
        let (devices, heads) = (self.0, dims.keys / dims.head);
        let keys = match heads.min(devices) {
            heads if heads == devices => r#""model""#.to_owned(),
            1 => String::new(),
            heads => format!(r#""model":(1){heads}"#),
        };
        let mesh = format!(r#"@ ["model"={devices}]"#);
        let split = format!("{layout} {mesh}");
        format!(
            "*norm.weight = row-major as bf16
             *.embed_tokens.weight = {tables} {mesh} [{{\"model\"}}, {{}}]
             lm_head.weight = {tables} {mesh} [{{\"model\"}}, {{}}]
             *.k_proj.weight = {split} [{{{keys}}}, {{}}]
             *.v_proj.weight = {split} [{{{keys}}}, {{}}]
             *.o_proj.weight = {split} [{{}}, {{\"model\"}}]
             *.down_proj.weight = {split} [{{}}, {{\"model\"}}]
             * = {split} [{{\"model\"}}, {{}}]"
        )
    }
}

impl FromStr for Split {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let count = text.strip_prefix("model=").and_then(|count| count.parse().ok());
        match count {
            Some(count) if count > 1 => Ok(Self(count)),
            _ => Err("expected the axis `model` and its devices, two or more: `model=4`".into()),
        }
    }
}

/// The number of features of the key heads on one device.
pub(crate) const fn keys_of(keys: usize, head: usize, devices: usize) -> usize {
    let heads = keys / head;
    if heads < devices { head } else { keys / devices }
}

/// The connection of a device with the others.
enum End {
    Threads(Threads),
    #[cfg(feature = "mpi")]
    Processes(Processes),
}

macro_rules! each {
    ($end:expr, $transport:ident => $value:expr) => {
        match $end {
            End::Threads($transport) => $value,
            #[cfg(feature = "mpi")]
            End::Processes($transport) => $value,
        }
    };
}

impl Transport for End {
    fn device(&self) -> usize {
        each!(self, transport => transport.device())
    }

    fn devices(&self) -> usize {
        each!(self, transport => transport.devices())
    }

    fn exchange(
        &mut self,
        messages: Vec<(usize, Vec<u8>)>,
        from: &[usize],
    ) -> Result<Vec<Vec<u8>>, TransportError> {
        each!(self, transport => transport.exchange(messages, from))
    }

    fn received(&self) -> u64 {
        each!(self, transport => transport.received())
    }

    fn begin(
        &mut self,
        group: &[usize],
        collective: GroupCollective<'_>,
    ) -> Option<Result<Begun, TransportError>> {
        each!(self, transport => transport.begin(group, collective))
    }

    fn finish(&mut self, begun: Begun) -> Result<Vec<Vec<u8>>, TransportError> {
        each!(self, transport => transport.finish(begun))
    }
}

/// One of the devices that share a model, and its connection with the others.
pub struct Device {
    end: End,
    mesh: Mesh,
    /// The shardings of an array that all devices have, and of an array of which each device has a part of the sum.
    whole: TensorSharding,
    parts_of_sum: TensorSharding,
    /// The shardings of rows that all devices have, and of rows of which each device has some columns.
    rows: TensorSharding,
    columns: TensorSharding,
}

impl Device {
    fn new(end: End, split: Split) -> Result<Self> {
        let mesh = format!(r#"["model"={}]"#, split.0);
        let sharding = |dims: &str| format!("<mesh<{mesh}>, {dims}>").parse();
        Ok(Self {
            end,
            whole: sharding("[{}]")?,
            parts_of_sum: sharding(r#"[{}], unreduced={"model"}"#)?,
            rows: sharding("[{}, {}]")?,
            columns: sharding(r#"[{}, {"model"}]"#)?,
            mesh: mesh.parse()?,
        })
    }

    /// The device that a thread represents.
    ///
    /// # Errors
    /// If the mesh cannot be named.
    pub(crate) fn of_thread(end: Threads, split: Split) -> Result<Self> {
        Self::new(End::Threads(end), split)
    }

    /// The device that this process represents, if `mpirun` started as many processes as devices share the model; `None` if there
    /// is only one process.
    ///
    /// # Errors
    /// If `mpirun` started a different number of processes.
    #[cfg(feature = "mpi")]
    pub fn of_process(split: Option<Split>) -> Result<Option<Self>> {
        let processes = Processes::connect().ok_or("MPI was started before")?;
        match (split, processes.devices()) {
            (_, 1) => Ok(None),
            (Some(split), count) if count == split.0 => {
                Self::new(End::Processes(processes), split).map(Some)
            }
            (_, count) => Err(format!(
                "there are {count} processes\nhelp: share the model among them: `--mesh model={count}`"
            )
            .into()),
        }
    }

    /// The device that this process represents: none, because processes are not connected without the feature `mpi`.
    ///
    /// # Errors
    /// None.
    #[cfg(not(feature = "mpi"))]
    pub fn of_process(_: Option<Split>) -> Result<Option<Self>> {
        Ok(None)
    }

    /// The number of this device.
    pub fn number(&self) -> usize {
        self.end.device()
    }

    /// The number of devices.
    pub fn count(&self) -> usize {
        self.end.devices()
    }

    /// Waits until all devices have called this function.
    ///
    /// # Errors
    /// If a device has ended.
    pub fn wait_for_all(&mut self) -> Result<()> {
        self.sum(&mut [0.0])
    }

    /// Adds up the numbers of all devices. Afterwards all devices have the same sums, bit for bit.
    pub(crate) fn sum(&mut self, numbers: &mut [f32]) -> Result<()> {
        let (shardings, array) =
            ((&self.parts_of_sum, &self.whole), (DType::F32, &[numbers.len()][..]));
        let sums = reshard(&mut self.end, &self.mesh, shardings, array, &bytes(numbers))?;
        for (number, sum) in numbers.iter_mut().zip(sums.as_chunks().0) {
            *number = f32::from_le_bytes(*sum);
        }
        Ok(())
    }

    /// The complete rows of `columns` numbers, of which each device has an equal share.
    pub(crate) fn columns(&mut self, columns: usize, part: &[f32]) -> Result<Vec<f32>> {
        let dims = [part.len() * self.count() / columns, columns];
        let shardings = (&self.columns, &self.rows);
        let rows =
            reshard(&mut self.end, &self.mesh, shardings, (DType::F32, &dims), &bytes(part))?;
        Ok(rows.as_chunks().0.iter().map(|number| f32::from_le_bytes(*number)).collect())
    }
}

fn bytes(numbers: &[f32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}
