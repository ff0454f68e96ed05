import * as vscode from 'vscode';
import type { RemoteFolder } from '../../../editor/git/folderMapping.ts';
import { placeOfUri } from '../subjects/place.ts';

/** Repository of a remote document's address; `undefined` for foreign addresses. */
export function remoteFolderOf(uri: vscode.Uri): RemoteFolder | undefined {
	const place = placeOfUri(uri);
	if (!place) {
		return undefined;
	}
	const { connectionKey, ref } = place;
	const { scheme, authority, path, query } = uri;
	if (place.kind === 'commit') {
		return { connectionKey, ref, root: uri, revision: undefined };
	}
	const below = place.at.path === '' ? 0 : place.at.path.length + 1;
	const top = path.replace(/\/$/, '');
	const root = vscode.Uri.from({ scheme, authority, path: top.slice(0, top.length - below), query });
	return { connectionKey, ref, root, revision: place.at.ref };
}
