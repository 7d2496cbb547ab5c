/// The largest number of cells along a side of the picture.
const MAX_SIDE: usize = 48;

/// A picture of the positions of the entries, with two rows of cells in a line of text.
pub(crate) fn draw(shape: [usize; 2], entries: &[([usize; 2], f64)]) -> String {
    let scale = shape[0].max(shape[1]).div_ceil(MAX_SIDE).max(1);
    let [rows, columns] = shape.map(|size| size.div_ceil(scale));
    let mut cells = vec![false; rows.next_multiple_of(2) * columns];
    for ([i, j], _) in entries {
        cells[i / scale * columns + j / scale] = true;
    }
    let mut picture = format!("+{}+\n", "-".repeat(columns));
    for pair in cells.chunks(2 * columns.max(1)) {
        let (upper, lower) = pair.split_at(columns);
        let cell = |(upper, lower): (&bool, &bool)| match (upper, lower) {
            (true, true) => '█',
            (true, false) => '▀',
            (false, true) => '▄',
            (false, false) => ' ',
        };
        let line: String = upper.iter().zip(lower).map(cell).collect();
        picture.push_str(&format!("|{line}|\n"));
    }
    picture.push_str(&format!("+{}+\n", "-".repeat(columns)));
    if scale > 1 {
        picture.push_str(&format!("each cell stands for {scale} by {scale} elements\n"));
    }
    picture
}
