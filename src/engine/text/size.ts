const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;

/** Size of a file: `812 bytes`, `12.3 kB`. */
export function sizeText(bytes: number, locale: string): string {
	const step = bytes < 1000 ? 0 : bytes < 1_000_000 ? 1 : bytes < 1_000_000_000 ? 2 : 3;
	return new Intl.NumberFormat(locale, {
		style: 'unit',
		unit: units[step] ?? 'byte',
		// The short word for bytes is the same for one and for many.
		unitDisplay: step === 0 ? 'long' : 'short',
		maximumFractionDigits: step === 0 ? 0 : 1,
	}).format(bytes / 1000 ** step);
}
