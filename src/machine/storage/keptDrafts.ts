import { createHash } from 'node:crypto';
import { Emitter } from '@forge-desk/base/event.ts';
import { maxOf, minOf } from '@forge-desk/base/longArrays.ts';
import {
	draftKey,
	DraftNotKept,
	type Draft,
	type DraftEntry,
	type Drafts,
	type DraftSubject,
} from '../../store/drafts/drafts.ts';
import { isSameDraft, type DraftFile, type DraftFiles } from './draftFiles.ts';

/** State of one subject beyond the files. */
interface Writing {
	/** Last draft handed in. Only this one can be `unkept`, in whatever order the writes end. */
	newest: Draft | undefined;
	/** Draft that the disk rejected. */
	unkept: Draft | undefined;
	readonly about: DraftSubject;
	/** Another window's file at the time of its takeover. */
	takenOver: DraftFile | undefined;
}

/**
 * Drafts in files, one per subject and window. The editor's storage is unsuitable: it stores all values as one object,
 * so windows overwrite each other, and in a web editor the page writes it late. A file is on disk when `keep` resolves.
 * `writer` identifies the window.
 */
export function keptDrafts(files: DraftFiles, writer: string): Drafts {
	const changed = new Emitter<DraftSubject>();
	const subjects = new Map<string, Writing>();

	function writingOf(about: DraftSubject): Writing {
		const key = draftKey(about);
		const known = subjects.get(key) ?? { newest: undefined, unkept: undefined, takenOver: undefined, about };
		subjects.set(key, known);
		return known;
	}

	/** Writes a draft. Returns files of other windows that this text continues. */
	function write(about: DraftSubject, draft: Draft): readonly DraftFile[] {
		const writing = writingOf(about);
		writing.newest = draft;
		const own = files.nameOf(about, writer);
		const before = files.read(about);
		const text = draft.text === '' ? before.find(({ name }) => name === own)?.draft.text : draft.text;
		writing.unkept = draft;
		if (draft.text === '') {
			files.removeOwn(own);
		} else {
			// Above all others of its subject, in case the clock was set back.
			const atMs = maxOf([draft.atMs, ...before.map((other) => other.draft.atMs + 1)]);
			files.write(own, { about, draft: { ...draft, atMs } });
		}
		const { takenOver } = writing;
		writing.unkept = undefined;
		writing.takenOver = undefined;
		return before.filter((file) => {
			const isUnchanged = file.name === takenOver?.name && isSameDraft(file.draft, takenOver.draft);
			return file.name !== own && (isWithin(file, text) || isUnchanged);
		});
	}

	/** Some disks report a lack of space only on flush. */
	async function writeAndFlush(about: DraftSubject, draft: Draft): Promise<void> {
		try {
			const others = write(about, draft);
			await files.flush(files.nameOf(about, writer));
			// The text is safe, even if the cleanup fails.
			await Promise.allSettled(others.map(async (file) => files.remove(file)));
		} catch (error) {
			const writing = writingOf(about);
			if (writing.newest === draft) {
				writing.unkept = draft;
			}
			throw notKept(error);
		}
	}

	/** This window's file, else the latest. */
	function shownFile(about: DraftSubject): ReturnType<typeof files.read>[number] | undefined {
		const own = files.nameOf(about, writer);
		const found = files.read(about).toSorted(latestFirst);
		return found.find(({ name }) => name === own) ?? found[0];
	}

	return {
		draft(about) {
			const writing = writingOf(about);
			if (writing.unkept) {
				return writing.unkept.text === '' ? undefined : writing.unkept;
			}
			const file = shownFile(about);
			writing.takenOver = file?.name === files.nameOf(about, writer) ? writing.takenOver : file;
			return file?.draft;
		},
		async keep(about, draft) {
			try {
				await writeAndFlush(about, draft);
			} finally {
				changed.fire(about);
			}
		},
		async keepBeside(about, draft) {
			// The text of another window is not visible here, so don't take it over.
			const { unkept } = writingOf(about);
			const own = unkept ? (unkept.text === '' ? undefined : unkept) : shownFile(about)?.draft;
			const others = files.read(about);
			if (own?.text.startsWith(draft.text) === true || others.some((file) => file.draft.text.startsWith(draft.text))) {
				return false;
			}
			if (!own) {
				await this.keep(about, draft);
				return false;
			}
			try {
				const name = files.nameOf(
					about,
					`${writer}-${createHash('sha256').update(draft.text).digest('hex').slice(0, 8)}`,
				);
				const atMs = minOf([draft.atMs, own.atMs - 1, ...others.map((file) => file.draft.atMs - 1)]);
				files.write(name, { about, draft: { ...draft, atMs } });
				await files.flush(name);
			} catch (error) {
				throw notKept(error);
			}
			changed.fire(about);
			return true;
		},
		all() {
			const unkept = [...subjects.values()].flatMap(({ about, unkept: draft }): readonly DraftEntry[] =>
				draft === undefined || draft.text === '' ? [] : [{ about, draft }],
			);
			const found: readonly DraftEntry[] = [...unkept, ...files.read()].toSorted(latestFirst);
			return Array.from(Map.groupBy(found, ({ about }) => draftKey(about)).values())
				.flatMap((ofOne) =>
					ofOne.filter((file, index) => !ofOne.slice(0, index).some((later) => isWithin(file, later.draft.text))),
				)
				.toSorted(latestFirst)
				.map(({ about, draft }) => ({ about, draft }));
		},
		async forget({ about, draft }) {
			const writing = writingOf(about);
			if (writing.unkept?.text === draft.text) {
				writing.unkept = undefined;
			}
			for (const file of files.read(about).filter((each) => isWithin(each, draft.text))) {
				files.remove(file);
			}
			changed.fire(about);
		},
		onDidChange: changed.event,
	};
}

function notKept(error: unknown): DraftNotKept {
	const code = error instanceof Error && 'code' in error ? error.code : undefined;
	return new DraftNotKept(code === 'ENOSPC' || code === 'EDQUOT', error);
}

function latestFirst(a: DraftEntry, b: DraftEntry): number {
	return b.draft.atMs - a.draft.atMs;
}

/** True for a leftover of a killed window: a prefix of a text that continues elsewhere. */
function isWithin(file: DraftEntry, text: string | undefined): boolean {
	return text?.startsWith(file.draft.text) === true;
}
