const start = 'series-';

/** Draft name of a prepared series' cover letter, or of its patch at an index. */
export function seriesDraftName(id: string, at?: number): string {
	return at === undefined ? `${start}${id}` : `${start}${id}-${at}`;
}

/** The way back; `undefined` for all other mails. */
export function seriesOfDraft(name: string): string | undefined {
	return name.startsWith(start) ? name.slice(start.length).split('-')[0] : undefined;
}
