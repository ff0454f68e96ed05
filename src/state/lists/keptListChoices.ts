import * as v from 'valibot';
import { Emitter, type Event } from '../../base/event.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import { refText } from '../../forge/namedRef.ts';
import type { ListRef } from '../../forge/list.ts';
import { type KeptText, kept } from '../shared/keptText.ts';

/** How somebody wants to see a list's patchsets. */
export interface ListChoice {
	/** In the forge's list grammar; empty for none. */
	readonly filter: string;
	/** `board`: grouped by what is waited for; `newest`: one after the other. */
	readonly patchsets: 'board' | 'newest';
}

/** The choices of one account, kept over restarts. */
export interface ListChoices {
	of(list: ListRef): ListChoice;
	/** Resolves when it is kept; `onDidChange` has told by then. */
	choose(list: ListRef, choice: ListChoice): Promise<void>;
	readonly onDidChange: Event<ListRef>;
	/** The address of the list that somebody confirmed, where its mails do not tell it for sure. */
	posting(list: ListRef): string | undefined;
	keepPosting(list: ListRef, address: string): Promise<void>;
}

/** What a list looks like before anybody chose. */
const firstChoice: ListChoice = { filter: '', patchsets: 'board' };
/** Longer filters are nobody's. */
const longestFilter = 2000;
const longestPosting = 254;

const choice = v.object({
	filter: v.fallback(v.pipe(v.string(), v.maxLength(longestFilter)), firstChoice.filter),
	patchsets: v.fallback(v.picklist(['board', 'newest']), firstChoice.patchsets),
	posting: v.optional(v.fallback(v.pipe(v.string(), v.maxLength(longestPosting)), '')),
});
type KeptChoice = v.InferOutput<typeof choice>;
/** By the key of the list. */
const choices: v.GenericSchema<unknown, Readonly<Record<string, KeptChoice>>> = v.record(
	v.string(),
	v.fallback(choice, firstChoice),
);

/** Choices kept as one small text. */
export function keptListChoices(place: KeptText): ListChoices & Disposable {
	const changed = new Emitter<ListRef>();
	const all = kept(place, choices, {});

	async function keep(list: ListRef, change: Partial<KeptChoice>): Promise<void> {
		const next = { ...firstChoice, ...all()[keyOf(list)], ...change };
		const isFirst =
			next.filter === firstChoice.filter && next.patchsets === firstChoice.patchsets && next.posting === undefined;
		// JSON leaves out what is undefined.
		const written = place.write(JSON.stringify({ ...all(), [keyOf(list)]: isFirst ? undefined : next }));
		changed.fire(list);
		await written;
	}

	return {
		of: (list) => all()[keyOf(list)] ?? firstChoice,
		choose: keep,
		posting(list) {
			const posting = all()[keyOf(list)]?.posting;
			return posting === '' ? undefined : posting;
		},
		keepPosting: (list, posting) => keep(list, { posting }),
		onDidChange: changed.event,
		dispose: () => changed.dispose(),
	};
}

/** Servers look lists up without regard to case. */
function keyOf(ref: ListRef): string {
	return refText(ref).toLowerCase();
}
