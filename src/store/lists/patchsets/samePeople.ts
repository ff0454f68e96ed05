import * as v from 'valibot';
import { Emitter } from '@forge-desk/base/event.ts';
import { addressPair } from 'patchmail/series/samePeople.ts';
import { goodOf, kept, type KeptText } from '../../shared/keptText.ts';

/** Two addresses of one person. */
export type SamePerson = readonly [string, string];

/** Drops the oldest. */
const most = 1000;

const schema = v.pipe(
	goodOf<SamePerson>(v.tuple([v.string(), v.string()])),
	v.transform((all) => all.slice(-most)),
);

/** Second addresses that the user confirmed, persistent. */
export function samePeople(place: KeptText) {
	const changed = new Emitter<void>();
	const all = kept(place, schema, []);
	let known: { readonly of: readonly SamePerson[]; readonly pairs: ReadonlySet<string> } | undefined;

	async function write(next: readonly SamePerson[]): Promise<void> {
		await place.write(JSON.stringify(next));
		changed.fire();
	}

	function without(pairs: readonly SamePerson[]): readonly SamePerson[] {
		const gone = new Set(pairs.map((pair) => addressPair(...pair)));
		return all().filter((pair) => !gone.has(addressPair(...pair)));
	}

	return {
		/** Oldest first. */
		all,
		/** As from `addressPair`. Returns the same set until a change. */
		pairs() {
			const of = all();
			known = known?.of === of ? known : { of, pairs: new Set(of.map((pair) => addressPair(...pair))) };
			return known.pairs;
		},
		confirm: (pair: SamePerson) => write([...without([pair]), pair].slice(-most)),
		forget: (pairs: readonly SamePerson[]) => write(without(pairs)),
		onDidChange: changed.event,
		dispose: () => changed.dispose(),
	};
}
