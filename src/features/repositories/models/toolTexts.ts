import { readBeforeLines } from '../../../editor/ask/readBefore.ts';
import { ToolInputError } from '../../../editor/models/toolInput.ts';
import { refText } from '../../../forge/port/namedRef.ts';
import { isObjectId } from '../../../engine/git/objectId.ts';
import { headRevision } from '../../../store/repositories/repositoryReferences.ts';
import { shownName } from '../subjects/words.ts';
import type { ToolPlace } from './toolPlace.ts';

/** Maximum characters of a name. */
const longestName = 500;

/** The commit for all reads of one answer. */
export async function commitOf({ connection, ref, at }: ToolPlace, signal: AbortSignal): Promise<string> {
	if (isObjectId(at.ref)) {
		return at.ref;
	}
	const standing = await connection.repositories.newestPinned(ref, at.ref, signal);
	if (!standing) {
		throw new ToolInputError('This repository is empty: it has no commit yet.');
	}
	return standing.commit.id;
}

/** One line about the place, and for stale data a second line with its age. */
export function headText({ connection, ref, at }: ToolPlace, commit: string): string {
	const before = connection.repositories.logBefore(ref, at.ref);
	const path = at.path === '' ? '(root)' : nameText(at.path);
	const reference = at.ref === headRevision ? 'the default branch' : nameText(at.ref);
	const head = `${nameText(refText(ref))} at ${reference}, commit ${commit}: ${path}`;
	return [head, ...readBeforeLines(before)].join('\n');
}

/** A name on a single line, with hidden characters spelled out and a length limit. */
export function nameText(name: string): string {
	const shown = shownName(name);
	return shown.length > longestName ? `${shown.slice(0, longestName).toWellFormed()}…` : shown;
}
