import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { FeedEntry } from '../read/atomFeed.ts';
import type { SearchPage } from '../read/searchPage.ts';
import { inTransaction } from './indexDatabase.ts';
import type { MailFacts, SearchedTexts } from './mailFacts.ts';
import type { SearchNode } from './searchQuery.ts';
import { numberAt, numbersInSecond, sqlSearch } from './searchSql.ts';

/** A page of search, newest mails first. Its total is an estimate if more hits follow than were counted. */
export interface LocalPage extends SearchPage {
	readonly rows: readonly FeedEntry[];
}

/** A place in a mailbox. */
export interface PlaceStamp {
	readonly place: string;
	/** Changes with the content of the place. */
	readonly stamp: string;
}

/** A mail and its place. Equal mails at several places are one mail. */
export interface PlacedFacts extends PlaceStamp {
	readonly size: number;
	readonly facts: MailFacts;
}

/** A text under a Message-ID. */
export interface MailText extends FeedEntry {
	readonly place: string;
	readonly size: number;
	/** As in `MailFacts`. */
	readonly digest: string;
}

/** Hits are counted up to so many behind the page. */
const countedBehind = 1000;
const mostRows = 1000;
/** Larger threads count as equally large. */
const largeThread = 1000;

/** Everything known of the mails of one mailbox. Other processes may write to the same file. */
export class MailIndex {
	readonly #database: DatabaseSync;
	readonly #statements = new Map<string, StatementSync>();

	constructor(database: DatabaseSync) {
		this.#database = database;
	}

	/** How far the reader of the mailbox came, in its own words. `life`: changes when the index is made anew. */
	progress(): { readonly reached: string | undefined; readonly life: string } {
		const { reached, life } = this.#get('SELECT reached, life FROM progress') ?? {};
		return { reached: typeof reached === 'string' ? reached : undefined, life: String(life) };
	}

	/**
	 * One step of a reader: the index stores all mails with the position behind them, or nothing. Mails at known places
	 * with the same stamp stay as they are, so that two processes may take the same step. False if the index has another
	 * life: the mails of earlier steps are gone.
	 */
	step(added: readonly PlacedFacts[], removed: readonly string[], reached: string | undefined, life: string): boolean {
		return inTransaction(this.#database, () => {
			if (this.progress().life !== life) {
				return false;
			}
			for (const place of removed) {
				this.#remove(place);
			}
			// The table of texts takes numbers in their order, or writes a part for each mail.
			const inOrder = added.toSorted((one, other) => one.facts.receivedMs - other.facts.receivedMs);
			for (const mail of inOrder) {
				this.#add(mail);
			}
			if (reached !== undefined) {
				this.#run('UPDATE progress SET reached = ?', reached);
			}
			return true;
		});
	}

	/** Forgets all mails, before a mailbox that was replaced is read again. */
	clear(): void {
		inTransaction(this.#database, () => {
			this.#database.exec('DELETE FROM mails; DELETE FROM places; DELETE FROM threads;');
			this.#run('UPDATE progress SET reached = NULL, life = hex(randomblob(8))');
			this.#run("INSERT INTO texts (texts) VALUES ('delete-all')");
		});
	}

	/** Places with their stamps, in slices: a mailbox may have a million. */
	places(after: string, most: number): readonly PlaceStamp[] {
		return this.#all('SELECT place, stamp FROM places WHERE place > ? ORDER BY place LIMIT ?', after, most).map(
			(row) => ({
				place: String(row['place']),
				stamp: String(row['stamp']),
			}),
		);
	}

	/** Those of the places that a step would add. */
	unknown(places: readonly PlaceStamp[]): readonly PlaceStamp[] {
		return places.filter(
			({ place, stamp }) => this.#get('SELECT stamp FROM places WHERE place = ?', place)?.['stamp'] !== stamp,
		);
	}

	count(): number {
		return Number(this.#get('SELECT count(*) AS mails FROM mails')?.['mails']);
	}

	/** Without `node`, all mails. */
	search(node: SearchNode | undefined, from: number, wanted: number): LocalPage {
		const most = Math.min(wanted, mostRows);
		const { match, sql, values } = node ? sqlSearch(node) : { match: undefined, sql: undefined, values: [] };
		const conditions = [...(match === undefined ? [] : ['texts MATCH ?']), ...(sql === undefined ? [] : [`(${sql})`])];
		const where = conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`;
		const said = [...(match === undefined ? [] : [match]), ...values];
		// The table of texts gives its rows in order of their number, without sorting them.
		const selected = `SELECT rowid AS num FROM ${match === undefined ? 'mails' : 'texts'}${where}`;
		const counted = most + countedBehind;
		const found = this.#all(`${selected} ORDER BY rowid DESC LIMIT ? OFFSET ?`, ...said, counted, from);
		const rows = found.slice(0, most).flatMap(({ num }) => {
			const row = this.#get(`SELECT ${rowColumns} FROM mails WHERE num = ?`, Number(num));
			return row ? [mailRow(row)] : [];
		});
		// Behind the last page, the number of hits takes another look.
		const total =
			found.length > 0 || from === 0
				? from + found.length
				: Number(this.#get(`SELECT count(*) AS hits FROM (${selected})`, ...said)?.['hits']);
		return { rows, from, to: from + rows.length, total, isEstimate: found.length === counted, missing: [] };
	}

	/** All texts under a Message-ID, in the order of their arrival. Most ids have one. */
	texts(messageId: string): readonly MailText[] {
		return this.#all(`SELECT ${textOfMail} FROM mails WHERE messageId = ? ORDER BY num`, messageId).map(mailText);
	}

	/** All mails of the thread, in the order of their arrival; none for an unknown id. The id of a missing mail will do. */
	thread(messageId: string, most: number): readonly MailText[] {
		return this.#all(
			`SELECT ${textOfMail} FROM threads JOIN mails USING (messageId)
			WHERE thread = (SELECT thread FROM threads WHERE messageId = ?) ORDER BY num LIMIT ?`,
			messageId,
			most,
		).map(mailText);
	}

	#add({ place, stamp, size, facts }: PlacedFacts): void {
		const known = this.#get('SELECT stamp FROM places WHERE place = ?', place);
		if (known?.['stamp'] === stamp) {
			return;
		}
		if (known) {
			this.#remove(place);
		}
		const { messageId, digest } = facts;
		const same = this.#get('SELECT num FROM mails WHERE messageId = ? AND digest = ?', messageId, digest);
		const num = same ? Number(same['num']) : this.#freeNumber(facts.receivedMs);
		this.#run('INSERT INTO places VALUES (?, ?, ?)', place, num, stamp);
		if (same) {
			return;
		}
		const { subject, author, address, sentMs, parentId, texts } = facts;
		this.#run(
			'INSERT INTO mails VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
			num,
			messageId,
			subject,
			author,
			address,
			sentMs ?? null,
			parentId ?? null,
			digest,
			size,
		);
		this.#run(
			`INSERT INTO texts (rowid, ${textColumns.map((name) => `"${name}"`).join(', ')}) VALUES (?${', ?'.repeat(textColumns.length)})`,
			num,
			...textColumns.map((name) => texts[name]),
		);
		this.#join([messageId, ...facts.references]);
	}

	#remove(place: string): void {
		const num = this.#get('SELECT num FROM places WHERE place = ?', place)?.['num'];
		if (typeof num !== 'number') {
			return;
		}
		this.#run('DELETE FROM places WHERE place = ?', place);
		if (this.#get('SELECT 1 FROM places WHERE num = ?', num) === undefined) {
			// The thread stays together: its other mails name this one.
			this.#run('DELETE FROM mails WHERE num = ?', num);
			this.#run('DELETE FROM texts WHERE rowid = ?', num);
		}
	}

	/** The lowest free number behind those of the same second. */
	#freeNumber(receivedMs: number): number {
		for (let first = numberAt(receivedMs); ; first += numbersInSecond) {
			const next = first + numbersInSecond;
			const sql = 'SELECT max(num) AS last FROM mails WHERE num >= ? AND num < ?';
			const last = this.#get(sql, first, next)?.['last'];
			if (typeof last !== 'number' || last + 1 < next) {
				return typeof last === 'number' ? last + 1 : first;
			}
		}
	}

	/** Makes one thread of these ids and of the threads that they were in. */
	#join(ids: readonly string[]): void {
		const found = ids.map((id) => this.#get('SELECT thread FROM threads WHERE messageId = ?', id)?.['thread']);
		const sizes = Array.from(new Set(found.filter((each) => typeof each === 'number')), (thread) => {
			const sql = 'SELECT count(*) AS size FROM (SELECT 1 FROM threads WHERE thread = ? LIMIT ?)';
			return { thread, size: Number(this.#get(sql, thread, largeThread)?.['size']) };
		});
		// The small ones join the large one: a large one may get thousands.
		const [large, ...others] = sizes.toSorted((one, other) => other.size - one.size);
		const thread = large?.thread ?? Number(this.#get('SELECT max(thread) AS last FROM threads')?.['last'] ?? 0) + 1;
		for (const other of others) {
			this.#run('UPDATE threads SET thread = ? WHERE thread = ?', thread, other.thread);
		}
		for (const [at, id] of ids.entries()) {
			if (found[at] === undefined) {
				this.#run('INSERT OR IGNORE INTO threads VALUES (?, ?)', id, thread);
			}
		}
	}

	#statement(sql: string): StatementSync {
		let statement = this.#statements.get(sql);
		if (!statement) {
			statement = this.#database.prepare(sql);
			// Searches differ in their text.
			if (this.#statements.size < 100) {
				this.#statements.set(sql, statement);
			}
		}
		return statement;
	}

	#get(sql: string, ...values: readonly (string | number | null)[]) {
		return this.#statement(sql).get(...values);
	}

	#all(sql: string, ...values: readonly (string | number | null)[]) {
		return this.#statement(sql).all(...values);
	}

	#run(sql: string, ...values: readonly (string | number | null)[]): void {
		this.#statement(sql).run(...values);
	}
}

const rowColumns = 'messageId, subject, author, address, sentMs, parentId';
const textOfMail = `${rowColumns}, size, digest, (SELECT place FROM places WHERE places.num = mails.num LIMIT 1) AS place`;

const textColumns = [
	'subject',
	'from',
	'to',
	'cc',
	'unquoted',
	'quoted',
	'removed',
	'added',
	'context',
	'hunkHeads',
	'attachments',
	'lists',
	'paths',
	'oldBlobs',
	'newBlobs',
	'patchIds',
	'changeIds',
] as const satisfies readonly (keyof SearchedTexts)[];

type Row = NonNullable<ReturnType<StatementSync['get']>>;

function mailRow(row: Row): FeedEntry {
	const { messageId, subject, author, address, sentMs, parentId } = row;
	return {
		messageId: String(messageId),
		subject: String(subject),
		author: String(author),
		address: String(address),
		dateMs: typeof sentMs === 'number' ? sentMs : undefined,
		parentId: typeof parentId === 'string' ? parentId : undefined,
	};
}

function mailText(row: Row): MailText {
	return { ...mailRow(row), place: String(row['place']), size: Number(row['size']), digest: String(row['digest']) };
}
