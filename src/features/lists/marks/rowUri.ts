import * as vscode from 'vscode';
import { refText } from '../../../forge/port/namedRef.ts';
import type { ListRef } from '../../../forge/port/list.ts';

/** The two kinds of things in a list. */
export type GroupKind = 'patchsets' | 'threads';

/** Scheme of row addresses. No provider opens them. */
export const listRowScheme = 'forge-list';

/** Address for the file decoration of a patchset's or thread's row. */
export function listRowUri(connectionKey: string, kind: GroupKind, { list, id }: RowRef): vscode.Uri {
	return vscode.Uri.from({ scheme: listRowScheme, authority: connectionKey, path: `/${rowPath(kind, { list, id })}` });
}

/** The same as a key of marks. */
export function listRowKey(connectionKey: string, kind: GroupKind, ref: RowRef): string {
	return `${connectionKey}/${rowPath(kind, ref)}`;
}

interface RowRef {
	readonly list: ListRef;
	readonly id: number;
}

function rowPath(kind: GroupKind, { list, id }: RowRef): string {
	return `${refText(list)}/${kind}/${id}`;
}
