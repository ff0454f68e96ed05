import { Emitter, type Event } from '../../base/event.ts';
import { Disposables, type Disposable } from '../../base/lifecycle.ts';
import { kept, type KeptText } from '../shared/keptText.ts';
import { emptyWebhookBook, isSameBook, type WebhookBook } from './webhookBook.ts';
import { keptWebhooks, textOfWebhooks } from './webhookText.ts';

export interface OpenWebhookBookParts {
	/** Shared by all windows of the account. */
	readonly kept: KeptText;
	/** Another window has written `kept`, or may have. */
	readonly onDidWrite: Event<void>;
}

/** One account's webhook book in this window. */
export interface OpenWebhookBook extends Disposable {
	/** The last state read. The same object until it changes. */
	now(): WebhookBook;
	/** Reads other windows' changes. Throws if the read fails: then do nothing based on the old state. */
	reread(): WebhookBook;
	/** Changes the stored state and returns the result. Rejects if the write fails. */
	change(work: (book: WebhookBook) => WebhookBook): Promise<WebhookBook>;
	readonly onDidChange: Event<void>;
}

export function openWebhookBook({ kept: place, onDidWrite }: OpenWebhookBookParts): OpenWebhookBook {
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
		now: () => known,
		reread: () => take(read()),
		async change(work) {
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
