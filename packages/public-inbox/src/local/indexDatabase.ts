import { rmSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';

/** Changes with the tables and with the reading of mails: an index of another version is made anew. */
const version = 3;

/** Pages of the database in memory, in KiB. */
const cacheKib = 4096;
/** Two windows may write at once, and a batch takes a fraction of a second. */
const busyMs = 20_000;

const tables = `
CREATE TABLE mails (
	num INTEGER PRIMARY KEY,
	messageId TEXT NOT NULL,
	subject TEXT NOT NULL,
	author TEXT NOT NULL,
	address TEXT NOT NULL,
	sentMs INTEGER,
	parentId TEXT,
	digest TEXT NOT NULL,
	size INTEGER NOT NULL
) STRICT;
CREATE INDEX mailsById ON mails (messageId);
CREATE INDEX mailsByDate ON mails (sentMs);
CREATE TABLE places (place TEXT PRIMARY KEY, num INTEGER NOT NULL, stamp TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE INDEX placesOfMail ON places (num);
CREATE TABLE threads (messageId TEXT PRIMARY KEY, thread INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE INDEX idsOfThread ON threads (thread);
CREATE TABLE progress (only INTEGER PRIMARY KEY CHECK (only = 1), reached TEXT, life TEXT NOT NULL) STRICT;
INSERT INTO progress VALUES (1, NULL, hex(randomblob(8)));
CREATE VIRTUAL TABLE texts USING fts5 (
	subject, "from", "to", cc, unquoted, quoted, removed, added, context, hunkHeads, attachments, lists, paths, oldBlobs, newBlobs, patchIds, changeIds,
	content = '', contentless_delete = 1, tokenize = "unicode61 remove_diacritics 2"
);`;

/**
 * Opens the index, or makes it. Throws for a damaged file and for one of another version; `isDamage` knows both. Node
 * loads the module here, because not every editor has it.
 */
export async function openDatabase(path: string): Promise<DatabaseSync> {
	const { DatabaseSync } = await import('node:sqlite');
	const database = new DatabaseSync(path, { timeout: busyMs });
	try {
		database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -${cacheKib};`);
		database.exec('PRAGMA temp_store = MEMORY; PRAGMA journal_size_limit = 16777216;');
		prepare(database);
		return database;
	} catch (error) {
		database.close();
		throw error;
	}
}

class OtherVersion extends Error {}

function prepare(database: DatabaseSync): void {
	inTransaction(database, () => {
		const found = Number(database.prepare('PRAGMA user_version').get()?.['user_version']);
		if (found === version) {
			// Reads the layout of all tables, and the one of the texts with its own checks.
			try {
				database.prepare('SELECT rowid FROM texts WHERE texts MATCH ? LIMIT 1').all('"a"');
			} catch (error) {
				throw resultCode(error) === wrongStatement ? new OtherVersion('other tables', { cause: error }) : error;
			}
			return;
		}
		if (database.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() !== undefined) {
			throw new OtherVersion(`version ${found}`);
		}
		database.exec(tables);
		database.exec(`PRAGMA user_version = ${version}`);
	});
}

/** Removes the index. Another process keeps the removed file open, and notices with its next question. */
export function removeDatabase(path: string): void {
	for (const suffix of ['', '-wal', '-shm', '-journal']) {
		rmSync(`${path}${suffix}`, { force: true });
	}
}

/** All of `work`, or nothing of it. Waits for another process that writes. */
export function inTransaction<T>(database: DatabaseSync, work: () => T): T {
	database.exec('BEGIN IMMEDIATE');
	try {
		const result = work();
		database.exec('COMMIT');
		return result;
	} catch (error) {
		// A full disk has rolled back already.
		if (database.isTransaction) {
			database.exec('ROLLBACK');
		}
		throw error;
	}
}

/** Results of SQLite. */
const [wrongStatement, readError, corrupt, full, notDatabase] = [1, 10, 11, 13, 26];

/** True for an error that a new index mends. A statement of ours that SQLite refuses is none. */
export function isDamage(error: unknown): boolean {
	const code = resultCode(error);
	return error instanceof OtherVersion || code === corrupt || code === notDatabase;
}

/** True if the disk is full, or fails. */
export function isDiskTrouble(error: unknown): boolean {
	const code = resultCode(error);
	return code === full || code === readError;
}

function resultCode(error: unknown): number | undefined {
	return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number'
		? error.errcode & 0xff
		: undefined;
}
