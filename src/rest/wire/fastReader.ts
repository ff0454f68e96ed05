import type { ShortTracker } from '../../forge/tracker.ts';
import type { Participant, ShortUser } from '../../forge/user.ts';
import { isObject } from '../../answers/decoding.ts';
import { timestampMs } from '../../answers/timestamp.ts';

type Fields = Readonly<Record<string, unknown>>;

const noFields: Fields = {};
const noTexts: readonly string[] = [];
const nothing: readonly never[] = [];
const noUser: ShortUser = { canonicalName: '', name: '' };
const noParticipant: Participant = { kind: 'user', ...noUser };
const noTracker: ShortTracker = { owner: noUser, name: '', createdMs: 0, updatedMs: 0 };

/**
 * Reads the usual shapes inside long lists in straight lines. Whatever is not as usual leaves a placeholder and counts as
 * missed; the whole item is then left to its schema. What repeats from item to item is decoded once and shared: all of it
 * is read-only. One reader serves one page.
 */
export class FastReader {
	#missed = false;
	#user = noUser;
	#participant = noParticipant;
	#tracker = noTracker;
	#trackerCreated: unknown;
	#trackerUpdated: unknown;

	/** Reads one item: what it says, or `undefined` when something was missed. */
	at<T>(value: unknown, read: (fields: Fields) => T): T | undefined {
		this.#missed = false;
		const item = read(this.fields(value));
		return this.#missed ? undefined : item;
	}

	/** Misses when there are more fields than are known: the schema names them. */
	atMost(known: number, fields: Fields): void {
		if (Object.keys(fields).length > known) {
			this.miss();
		}
	}

	/** What it cannot read. */
	miss(): void {
		this.#missed = true;
	}

	fields(value: unknown): Fields {
		return isObject(value) ? value : this.#none(noFields);
	}

	text(value: unknown): string {
		return typeof value === 'string' ? value : this.#none('');
	}

	/** Ids and counts. */
	whole(value: unknown): number {
		return typeof value === 'number' && Number.isSafeInteger(value) ? value : this.#none(0);
	}

	/** Numbers that begin with 1. */
	number(value: unknown): number {
		const found = this.whole(value);
		return found >= 1 ? found : this.#none(0);
	}

	time(value: unknown): number {
		const ms = typeof value === 'string' ? timestampMs(value) : Number.NaN;
		return Number.isNaN(ms) ? this.#none(0) : ms;
	}

	list(value: unknown): readonly unknown[] {
		return Array.isArray(value) ? value : this.#none([]);
	}

	/** Lists are kept by the thousand, and most are empty: those are one. */
	texts(value: unknown): readonly string[] {
		return isTexts(value) ? (value.length === 0 ? noTexts : value) : this.#none(noTexts);
	}

	/** The items of a list, read one by one. */
	each<T>(value: unknown, read: (item: unknown) => T): readonly T[] {
		const items = this.list(value);
		return items.length === 0 ? nothing : items.map(read);
	}

	shortUser(value: unknown): ShortUser {
		const fields = this.fields(value);
		const canonicalName = this.text(fields['canonical_name']);
		const name = this.text(fields['name']);
		if (this.#user.canonicalName !== canonicalName || this.#user.name !== name) {
			this.#user = { canonicalName, name };
		}
		return this.#user;
	}

	/** Participants with an account. */
	participant(value: unknown): Participant {
		const fields = this.fields(value);
		const { canonicalName, name } = this.shortUser(value);
		if (!isPlainUser(fields)) {
			return this.#none(noParticipant);
		}
		const last = this.#participant;
		if (last.kind !== 'user' || last.canonicalName !== canonicalName || last.name !== name) {
			this.#participant = { kind: 'user', canonicalName, name };
		}
		return this.#participant;
	}

	shortTracker(value: unknown): ShortTracker {
		const { owner: wireOwner, name: wireName, created, updated } = this.fields(value);
		const owner = this.shortUser(wireOwner);
		const name = this.text(wireName);
		const last = this.#tracker;
		const isSame =
			typeof created === 'string' &&
			last.name === name &&
			last.owner.canonicalName === owner.canonicalName &&
			last.owner.name === owner.name &&
			created === this.#trackerCreated &&
			updated === this.#trackerUpdated;
		if (!isSame) {
			this.#tracker = { owner, name, createdMs: this.time(created), updatedMs: this.time(updated) };
			// A tracker that was missed must be missed again, so its times are not remembered.
			this.#trackerCreated = this.#missed ? undefined : created;
			this.#trackerUpdated = this.#missed ? undefined : updated;
		}
		return this.#tracker;
	}

	#none<T>(placeholder: T): T {
		this.#missed = true;
		return placeholder;
	}
}

function isTexts(value: unknown): value is readonly string[] {
	return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

/** True when no field of another kind of participant is there. */
function isPlainUser(fields: Fields): boolean {
	const { type, address, external_id: externalId, external_url: externalUrl } = fields;
	return (
		(type === 'user' || type === undefined) &&
		address === undefined &&
		externalId === undefined &&
		externalUrl === undefined
	);
}
