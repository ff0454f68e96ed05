const start = 'series-';

/** The name of the draft in which the cover letter of a prepared series is written. */
export function seriesDraftName(id: string): string {
	return `${start}${id}`;
}

/** The way back; `undefined` for all other mails. */
export function seriesOfDraft(name: string): string | undefined {
	return name.startsWith(start) ? name.slice(start.length) : undefined;
}
