/** How much git says at the end of this that it has received, as `Receiving objects: 12% (3/25), 1.50 MiB | 2.00 MiB/s`. */
export function receivedMebibytes(text: string): number {
	// Servers write into it: nothing in this is looked at more than once.
	const [, number = '0', unit] = [...text.matchAll(/, (\d{1,9}(?:\.\d{1,2})?) ([KMG]iB)(?: \||,)/g)].at(-1) ?? [];
	return Number(number) * (unit === 'GiB' ? 1024 : unit === 'MiB' ? 1 : 0);
}
