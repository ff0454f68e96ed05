import * as v from 'valibot';
import { Emitter } from '@forge-desk/base/event.ts';
import { refText } from 'sourcehut/port/namedRef.ts';
import type { ListRef } from 'sourcehut/port/list.ts';
import { type KeptText, kept } from '../shared/keptText.ts';

/** The user's choices for the patchset view of a list. */
export interface ListChoice {
	/** In the forge's list grammar; empty for none. */
	readonly filter: string;
	/** `board`: in groups; `newest`: one sequence. */
	readonly patchsets: 'board' | 'newest';
}

const firstChoice: ListChoice = { filter: '', patchsets: 'board' };
/** Longer filters are abuse. */
const longestFilter = 2000;
const longestPosting = 254;

const choice = v.object({
	filter: v.fallback(v.pipe(v.string(), v.maxLength(longestFilter)), firstChoice.filter),
	patchsets: v.fallback(v.picklist(['board', 'newest']), firstChoice.patchsets),
	posting: v.optional(v.fallback(v.pipe(v.string(), v.maxLength(longestPosting)), '')),
});
type KeptChoice = v.InferOutput<typeof choice>;
/** By list key. */
const choices: v.GenericSchema<unknown, Readonly<Record<string, KeptChoice>>> = v.record(
	v.string(),
	v.fallback(choice, firstChoice),
);

/** The choices of one account; persistent. */
export type ListChoices = ReturnType<typeof keptListChoices>;

export function keptListChoices(place: KeptText) {
	const changed = new Emitter<ListRef>();
	const all = kept(place, choices, {});

	async function keep(list: ListRef, change: Partial<KeptChoice>): Promise<void> {
		const next = { ...firstChoice, ...all()[keyOf(list)], ...change };
		const isFirst =
			next.filter === firstChoice.filter && next.patchsets === firstChoice.patchsets && next.posting === undefined;
		// JSON omits undefined values.
		const written = place.write(JSON.stringify({ ...all(), [keyOf(list)]: isFirst ? undefined : next }));
		changed.fire(list);
		await written;
	}

	return {
		of: (list: ListRef) => all()[keyOf(list)] ?? firstChoice,
		/** Resolves after the write. `onDidChange` fires before. */
		choose: keep,
		/** The posting address that the user confirmed because its mails were ambiguous. */
		posting(list: ListRef) {
			const posting = all()[keyOf(list)]?.posting;
			return posting === '' ? undefined : posting;
		},
		keepPosting: (list: ListRef, posting: string) => keep(list, { posting }),
		onDidChange: changed.event,
		dispose: () => changed.dispose(),
	};
}

/** Servers ignore the case of list names. */
function keyOf(ref: ListRef): string {
	return refText(ref).toLowerCase();
}
