import * as v from 'valibot';
import * as vscode from 'vscode';
import { forgeNumber, isRecord } from '../../../editor/commands/subjects.ts';
import type { ListRef } from 'sourcehut/port/list.ts';
import { refText } from 'sourcehut/port/namedRef.ts';
import { shownPath } from '../../../editor/patchDocuments/patchUri.ts';
import { listRefOf } from '../../../store/lists/lists.ts';
import { keptIn } from '../../../store/shared/keptText.ts';

/** Scheme of documents that compare versions of a series. */
const versionScheme = 'forge-versions';

/** Two versions of a series, by patchset id. */
export interface VersionPair {
	readonly connectionKey: string;
	readonly list: ListRef;
	readonly earlier: number;
	readonly later: number;
}

/** Content of a comparison. */
export type VersionView =
	/** Text like the output of `git range-diff`. */
	| { readonly kind: 'rangeDiff' }
	/** A file after one version's patches, limited to their hunks. */
	| { readonly kind: 'earlier' | 'later'; readonly path: string };

export interface VersionPlace {
	readonly pair: VersionPair;
	readonly view: VersionView;
}

/**
 * `forge-versions://<account>/<title or path>?{"list":…,"earlier":…,"later":…,"show":…,"path":…}`. The path only serves readers
 * and language detection, as in patch URIs. `label` follows the name.
 */
export function versionUri({ pair, view }: VersionPlace, title: string, label = ''): vscode.Uri {
	return vscode.Uri.from({
		scheme: versionScheme,
		authority: pair.connectionKey,
		path: shownPath(title),
		query: JSON.stringify({
			list: refText(pair.list),
			earlier: pair.earlier,
			later: pair.later,
			show: view.kind,
			...(view.kind === 'rangeDiff' ? {} : { path: view.path }),
			...(label === '' ? {} : { in: ` (${label})` }),
		}),
	});
}

/** Inverse of `versionUri`; `undefined` for other URIs. */
export function placeOfVersionUri(uri: unknown): VersionPlace | undefined {
	const { scheme, authority, query } = isRecord(uri) ? uri : {};
	if (scheme !== versionScheme || typeof authority !== 'string' || typeof query !== 'string') {
		return undefined;
	}
	const read = keptIn(query, versionQuery, undefined);
	const list = listRefOf(read?.list ?? '');
	if (!read || !list) {
		return undefined;
	}
	const { earlier, later } = read;
	const view = read.show === 'rangeDiff' ? { kind: read.show } : { kind: read.show, path: read.path };
	return { pair: { connectionKey: authority, list, earlier, later }, view };
}

const pairFields = { list: v.string(), earlier: forgeNumber, later: forgeNumber };
const versionQuery = v.variant('show', [
	v.object({ show: v.literal('rangeDiff'), ...pairFields }),
	v.object({ show: v.picklist(['earlier', 'later']), path: v.string(), ...pairFields }),
]);
