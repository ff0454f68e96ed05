import { trackerRefOf } from '../../store/tickets/trackerRefs.ts';
import type { Draft, DraftSubject } from '../../store/drafts/drafts.ts';
import type { DraftFiles } from './draftFiles.ts';
import type { EditorStorage } from './editorStorage.ts';

const prefix = 'forge.draft:';
const written = /^forge\.draft:(?<connectionKey>\S+) (?<tracker>.+)#(?<id>\d+)$/;

/** Migrates drafts of version 0.1.0 from the editor's storage to files. Deletes the originals after writing. */
export async function takeOverEarlierDrafts(storage: EditorStorage, files: DraftFiles): Promise<void> {
	const keys = storage.keys().filter((each) => each.startsWith(prefix));
	for (const key of keys) {
		const about = subjectOf(key);
		const kept = storage.get(key);
		if (about && isDraft(kept)) {
			// The same name in every window, because several may start at once.
			files.write(files.nameOf(about, 'earlier'), { about, draft: { text: kept.text, atMs: kept.atMs } });
		}
	}
	for (const key of keys) {
		await storage.update(key, undefined);
	}
}

function subjectOf(key: string): DraftSubject | undefined {
	const { connectionKey, tracker = '', id } = written.exec(key)?.groups ?? {};
	const ref = trackerRefOf(tracker);
	return connectionKey !== undefined && ref
		? { kind: 'comment', connectionKey, ref: { tracker: ref, id: Number(id) } }
		: undefined;
}

function isDraft(value: unknown): value is Draft {
	return (
		typeof value === 'object' &&
		value !== null &&
		'text' in value &&
		typeof value.text === 'string' &&
		'atMs' in value &&
		typeof value.atMs === 'number'
	);
}
