const monthNames = 'janfebmaraprmayjunjulaugsepoctnovdec';

/** `Date.parse`, and NaN for a day that its month lacks: the platform counts on into the next month. */
export function dateMs(text: string): number {
	const [, years, months, days] = /^(\d{4})-(\d\d)-(\d\d)/.exec(text) ?? [];
	const mail = /\b(\d{1,2})[ -]+([a-z]{3})[a-z]*[ -]+(\d{4})\b/i.exec(text);
	const american = /\b([a-z]{3})[a-z]*[ ]+(\d{1,2}),?[ ]+(\d{4})\b/i.exec(text);
	const named = mail ? [mail[2], mail[1], mail[3]] : american ? american.slice(1) : [];
	const [name = '', day, year] = named;
	const month = months === undefined ? monthNames.indexOf(name.toLowerCase()) / 3 : Number(months) - 1;
	return (days ?? day) === undefined || hasDay(Number(years ?? year), month, Number(days ?? day))
		? Date.parse(text)
		: Number.NaN;
}

/** Other words than a month's name are left to the platform. */
function hasDay(year: number, month: number, day: number): boolean {
	return !Number.isInteger(month) || month < 0 || new Date(Date.UTC(year, month, day)).getUTCMonth() === month;
}
