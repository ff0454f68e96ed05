import * as v from 'valibot';
import { Emitter, type Event } from '../../base/event.ts';
import { Disposables } from '../../base/lifecycle.ts';
import type { Problem } from '../../forge/port/forgeError.ts';
import { scopes } from '../../forge/port/scope.ts';
import { keptFamily as family } from '../shared/keptFamily.ts';
import { kept, type KeptText, goodOf, time } from '../shared/keptText.ts';
import type { EventTries } from './eventTries.ts';
import {
	emptyWebhookBook,
	isSameBook,
	type WebhookBook,
	type BookedWebhook,
	type LostWebhook,
	type RefusedFamily,
} from './webhookBook.ts';

const number = v.pipe(v.number(), v.safeInteger());

const names = v.array(v.string());

/** Longest URL or path (docs/protocol.md#webhook-routes). */
const address = v.pipe(v.string(), v.nonEmpty(), v.maxLength(2048));

/** `JSON.stringify` omits undefined values. */
const maybeId = v.optional(number);

const webhook: v.GenericSchema<unknown, BookedWebhook> = v.pipe(
	v.object({
		family,
		path: address,
		url: address,
		isSync: v.boolean(),
		events: names,
		id: maybeId,
		askedMs: time,
		verifiedMs: time,
		doubt: v.optional(v.picklist(['token', 'unlisted'])),
	}),
	v.transform(({ id, doubt, ...rest }) => ({ ...rest, id, doubt })),
);

const reason = v.object({ field: v.optional(v.string()), reason: v.string() });

/** The problems of stored rejections. */
const problem: v.GenericSchema<unknown, Problem> = v.union([
	v.object({ kind: v.picklist(['notFound', 'notOffered']) }),
	v.pipe(
		v.object({ kind: v.literal('notAllowed'), reason: v.optional(v.string()) }),
		v.transform((read): Problem =>
			read.reason === undefined ? { kind: 'notAllowed' } : { kind: 'notAllowed', reason: read.reason },
		),
	),
	v.pipe(
		v.object({ kind: v.literal('missingScope'), scope: v.optional(v.picklist(scopes)), asWritten: v.string() }),
		v.transform(({ kind, scope, asWritten }): Problem => ({ kind, scope, asWritten })),
	),
	v.pipe(
		v.object({ kind: v.literal('invalid'), errors: v.array(reason) }),
		v.transform(({ kind, errors }): Problem => ({
			kind,
			errors: errors.map((each) => ({ field: each.field, reason: each.reason })),
		})),
	),
]);

const refusal: v.GenericSchema<unknown, RefusedFamily> = v.object({ family, problem, againMs: time });

const lost: v.GenericSchema<unknown, LostWebhook> = v.object({ family, url: address, id: number, lostMs: time });

const tries: v.GenericSchema<unknown, EventTries> = v.object({
	taken: names,
	refused: names,
	narrowed: names,
	againMs: v.number(),
});

const group = v.fallback(v.optional(tries), undefined);

/** Decodes the stored book. Skips damaged entries and keeps the rest. */
export const keptWebhooks: v.GenericSchema<unknown, WebhookBook> = v.object({
	webhooks: goodOf(webhook),
	refused: goodOf(refusal),
	tries: v.fallback(
		v.object({
			todoUser: group,
			gitUser: group,
			listsUser: group,
			list: group,
			repository: group,
			tracker: group,
			ticket: group,
		}),
		{},
	),
	addresses: goodOf(address),
	syncs: goodOf(family),
	lost: goodOf(lost),
	isResting: v.fallback(v.boolean(), false),
});

export interface OpenWebhookBookParts {
	/** Shared by all windows of the account. */
	readonly kept: KeptText;
	/** Another window has written `kept`, or may have. */
	readonly onDidWrite: Event<void>;
}

/** One account's webhook book in this window. */
export type OpenWebhookBook = ReturnType<typeof openWebhookBook>;

export function openWebhookBook({ kept: place, onDidWrite }: OpenWebhookBookParts) {
	const owned = new Disposables();
	const changed = owned.add(new Emitter<void>());
	const read = kept(place, keptWebhooks, emptyWebhookBook);
	let known = emptyWebhookBook;
	rereadUnlessFailing();
	owned.add(onDidWrite(rereadUnlessFailing));

	function take(next: WebhookBook): WebhookBook {
		if (!isSameBook(known, next)) {
			known = next;
			changed.fire();
		}
		return known;
	}

	/** After a failed read, the next step or write reads again. */
	function rereadUnlessFailing(): void {
		try {
			take(read());
		} catch {
			return;
		}
	}

	return {
		/** The last state read. The same object until it changes. */
		now: () => known,
		/** Reads other windows' changes. Throws if the read fails: then do nothing based on the old state. */
		reread: () => take(read()),
		/** Changes the stored state and returns the result. Rejects if the write fails. */
		async change(work: (book: WebhookBook) => WebhookBook) {
			const before = read();
			const after = work(before);
			if (!isSameBook(before, after)) {
				await place.write(textOfWebhooks(after));
			}
			return take(after);
		},
		onDidChange: changed.event,
		dispose: () => owned.dispose(),
	};
}

export function textOfWebhooks(all: WebhookBook): string {
	return JSON.stringify(all);
}
