import { lstat, stat } from 'node:fs/promises';
import { sep } from 'node:path';
import { fileOfMail, mailFolder, type MailFolder } from 'patchmail/files/mailFiles.ts';
import { mailboxForm, NoMailbox } from 'patchmail/mail/mailbox.ts';
import { MailboxError, mostOfMail, type IndexOfMailbox, type MailSource } from './mailSource.ts';
import type { PlaceStamp } from './mailIndex.ts';

/** File systems keep times as coarse as this. */
const coarsestMs = 2000;

/** Files that are looked at together. */
const together = 64;

/**
 * A folder with a file for each mail, such as a maildir. The place of a mail is its name without flags, so that reading
 * a mail elsewhere changes nothing here.
 */
export function folderOfMails(path: string, nowMs: () => number): MailSource {
	/** The last listing. Mail programs rename files at any time. */
	let listed: MailFolder = { isMaildir: true, files: new Map() };
	let hasLooked = false;

	return {
		async refresh(index, signal) {
			const reached = await index.reached(signal);
			const state = await stateOf(path, nowMs());
			// The first look also finds files that another program wrote again.
			if (hasLooked && state !== '' && state === reached) {
				return;
			}
			listed = await listing(path);
			const isWhole = await addNew(listed, index, signal);
			for await (const places of index.places(signal)) {
				for (const { place } of places) {
					if (!listed.files.has(place)) {
						await index.remove(place, signal);
					}
				}
			}
			await index.store(isWhole ? state : '', signal);
			hasLooked = true;
		},
		async *contents(mails, signal) {
			for (const mail of mails) {
				signal.throwIfAborted();
				const known = listed.files.get(mail.place);
				let bytes = known && (await fileOfMail(known, Number.MAX_SAFE_INTEGER, signal));
				if (!bytes) {
					listed = await listing(path);
					const renamed = listed.files.get(mail.place);
					bytes = renamed && (await fileOfMail(renamed, Number.MAX_SAFE_INTEGER, signal));
				}
				yield bytes;
			}
		},
	};
}

async function listing(path: string): Promise<MailFolder> {
	return await mailFolder(path).catch((cause: unknown) => {
		throw new MailboxError(cause instanceof NoMailbox ? 'noMailbox' : 'failed', { cause });
	});
}

/** False if a file was not readable: it may be soon. */
async function addNew({ isMaildir, files }: MailFolder, index: IndexOfMailbox, signal: AbortSignal): Promise<boolean> {
	let isWhole = true;
	let mails = 0;
	for (const part of partsOf(files)) {
		const found = await Promise.all(
			part.map(async ([place, file]) => {
				const stamp = await stampOf(file);
				return stamp === undefined ? [] : [{ place, stamp }];
			}),
		);
		const unknown = await index.unknown(found.flat(), signal);
		const read = await Promise.all(unknown.map((each) => mailAt(files, each, signal)));
		isWhole &&= found.flat().length === part.length && !read.includes(undefined);
		mails += found.flat().length;
		for (const mail of read) {
			// Other files of a folder may have the name of a mail.
			if (mail && (isMaildir || mailboxForm(mail.bytes))) {
				await index.add(mail, signal);
			} else {
				mails -= 1;
			}
		}
	}
	if (!isMaildir && mails === 0) {
		throw new MailboxError('noMailbox');
	}
	// Removals follow, and a stamp that changed is a removal, too.
	await index.store(undefined, signal);
	return isWhole;
}

function* partsOf<T>(all: Iterable<T>): Generator<readonly T[], void, void> {
	let part: T[] = [];
	for (const each of all) {
		part.push(each);
		if (part.length === together) {
			yield part;
			part = [];
		}
	}
	yield part;
}

async function mailAt(files: MailFolder['files'], { place, stamp }: PlaceStamp, signal: AbortSignal) {
	const file = files.get(place);
	const bytes = file && (await fileOfMail(file, mostOfMail, signal));
	return bytes && { place, stamp, size: Number(stamp.split(' ', 1)[0]), bytes };
}

/** Changes with each mail that comes, goes or gets flags. Empty: a change in this moment might not be seen. */
async function stateOf(path: string, atMs: number): Promise<string> {
	const inside = await Promise.all(['new', 'cur'].map((name) => stat(`${path}${sep}${name}`).catch(() => undefined)));
	const found = inside.some((folder) => folder) ? inside : [await stat(path).catch(() => undefined)];
	return found.some((folder) => folder && folder.mtimeMs > atMs - coarsestMs)
		? ''
		: found.map((folder) => `${folder?.ino} ${folder?.mtimeMs}`).join(' ');
}

async function stampOf(file: Buffer): Promise<string | undefined> {
	const found = await lstat(file).catch(() => undefined);
	return found?.isFile() === true ? `${found.size} ${found.mtimeMs}` : undefined;
}
