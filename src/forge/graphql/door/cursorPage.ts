import * as v from 'valibot';
import type { RawPage } from '../../answers/pagingWay.ts';
import { partly, unsentKey } from './partial.ts';

/** Schema of a list page. Servers send 25 items and a cursor; the last page has no cursor. */
export function cursorPage<T>(item: v.GenericSchema<unknown, T>): v.GenericSchema<unknown, RawPage<T>> {
	return v.pipe(
		v.object({ cursor: v.nullish(v.string()), results: v.array(item), ...partly }),
		v.transform(({ cursor, results, [unsentKey]: unsent }): RawPage<T> => ({
			items: results,
			next: cursor ?? undefined,
			total: undefined,
			isEnvelope: true,
			...(unsent.length > 0 ? { isPart: true } : {}),
		})),
	);
}
