import * as v from 'valibot';
import { dateMs } from '@forge-desk/base/dateMs.ts';

/**
 * Milliseconds of a timestamp, or NaN. Servers write `2026-11-20T07:04:51+00:00`, later ones
 * `2022-04-08T11:12:36.123456Z` (docs/protocol.md#timestamps); a time without zone is UTC.
 */
export function timestampMs(text: string): number {
	if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text)) {
		return Number.NaN;
	}
	return dateMs(/(?:Z|[+-]\d\d:?\d\d)$/i.test(text) ? text : `${text}Z`);
}

export const timestamp = v.pipe(
	v.string(),
	v.rawTransform(({ dataset, addIssue, NEVER }) => {
		const ms = timestampMs(dataset.value);
		if (Number.isNaN(ms)) {
			addIssue({ expected: 'timestamp' });
			return NEVER;
		}
		return ms;
	}),
);
