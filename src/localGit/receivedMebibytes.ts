/** Received size in the last progress line, such as `Receiving objects: 12% (3/25), 1.50 MiB | 2.00 MiB/s`. */
export function receivedMebibytes(text: string): number {
	// Servers control this text, so the pattern must not backtrack.
	const [, number = '0', unit] = [...text.matchAll(/, (\d{1,9}(?:\.\d{1,2})?) ([KMG]iB)(?: \||,)/g)].at(-1) ?? [];
	return Number(number) * (unit === 'GiB' ? 1024 : unit === 'MiB' ? 1 : 0);
}
