import { Emitter, type Event } from '../../base/event.ts';
import { Disposables, type Disposable } from '../../base/lifecycle.ts';
import { kept, type KeptText } from '../shared/keptText.ts';
import { emptyWebhookBook, isSameBook, type WebhookBook } from './webhookBook.ts';
import { keptWebhooks, textOfWebhooks } from './webhookText.ts';

export interface OpenWebhookBookParts {
	/** One text for all windows of the account. */
	readonly kept: KeptText;
	/** Another window has written it, or may have. */
	readonly onDidWrite: Event<void>;
}

/** The book of one account, as this window knows it. */
export interface OpenWebhookBook extends Disposable {
	/** As it was last read here. The same value until it is something else. */
	now(): WebhookBook;
	/** Reads what other windows wrote. Throws where it cannot be read: then nothing must be done by it. */
	reread(): WebhookBook;
	/** Changes what is kept, as it stands at that moment, and says what stands there then. Rejects where it cannot be kept. */
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

	/** What is there and cannot be read now is read with the next step, or when it is written again. */
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
