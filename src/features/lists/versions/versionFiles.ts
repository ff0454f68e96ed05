import * as vscode from 'vscode';
import { onDispose, type Disposable } from '../../../base/lifecycle.ts';
import { connectionOf } from '../../../editor/commands/subjects.ts';
import type { FileBetween } from '../../../review/interdiff.ts';
import { seriesAlone } from '../../../state/lists/review/seriesAlone.ts';
import { textFiles } from '../mail/textFiles.ts';
import type { ListsParts } from '../parts/listsParts.ts';
import { placeOfVersionUri, type VersionPair } from '../subjects/versionUri.ts';
import { hunksBetween, rangeDiffOf, sideText, type ReadPair } from './versionTexts.ts';

/** The read-only file system `forge-versions:`. Its URIs come from `versionUri`. */
export type VersionFiles = vscode.FileSystemProvider & Disposable;

export function versionFiles(parts: ListsParts): VersionFiles {
	const ending = new AbortController();
	const { signal } = ending;
	/** Cache: files shown side by side belong to the same two versions. */
	let last: { readonly key: string; readonly files: readonly FileBetween[] } | undefined;

	async function filesOf(of: VersionPair, pair: ReadPair): Promise<readonly FileBetween[]> {
		const mails = [pair.earlier, pair.later].map(({ patches }) => patches.map(({ mail }) => mail.id));
		const key = JSON.stringify([of.connectionKey, mails]);
		if (last?.key !== key) {
			last = { key, files: await hunksBetween(pair, parts.clock, signal) };
		}
		return last.files;
	}

	const files = textFiles(parts, async (uri) => {
		const place = placeOfVersionUri(uri);
		if (!place) {
			throw vscode.FileSystemError.FileNotFound(uri);
		}
		const { view } = place;
		const pair = await readPair(parts, place.pair, signal);
		if (view.kind === 'rangeDiff') {
			return rangeDiffOf(pair, parts.clock, signal);
		}
		const file = (await filesOf(place.pair, pair)).find(({ path }) => path === view.path);
		if (!file) {
			throw vscode.FileSystemError.FileNotFound(uri);
		}
		return sideText(file, view.kind);
	});
	return { ...files, ...onDispose(() => ending.abort()) };
}

/** Both versions from the cache, else from their own mails. */
export async function readPair(
	{ connections }: Pick<ListsParts, 'connections'>,
	{ connectionKey, list, earlier, later }: VersionPair,
	signal: AbortSignal,
): Promise<ReadPair> {
	const connection = connectionOf(connections, { connectionKey });
	const [one, other] = await Promise.all([
		seriesAlone(connection, { list, id: earlier }, signal),
		seriesAlone(connection, { list, id: later }, signal),
	]);
	return { earlier: one, later: other };
}
