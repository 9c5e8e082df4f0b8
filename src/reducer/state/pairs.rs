//! Maps inside the parts of the state as lists of pairs: their keys are no texts.

use imbl::OrdMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

pub(super) fn serialize<K: Ord + Serialize, V: Serialize, S: Serializer>(
    map: &OrdMap<K, V>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(map)
}

pub(super) fn deserialize<'de, K, V, D>(deserializer: D) -> Result<OrdMap<K, V>, D::Error>
where
    K: Ord + Clone + Deserialize<'de>,
    V: Clone + Deserialize<'de>,
    D: Deserializer<'de>,
{
    Ok(Vec::<(K, V)>::deserialize(deserializer)?.into_iter().collect())
}
