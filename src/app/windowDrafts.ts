import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import type { Problems } from '../editor/ask/problems.ts';
import type { Drafts } from '../state/drafts/drafts.ts';
import { draftFiles } from '../storage/draftFiles.ts';
import { takeOverEarlierDrafts } from '../storage/earlierDrafts.ts';
import { keptDrafts } from '../storage/keptDrafts.ts';
import type { EditorStorage } from '../storage/steadyStorage.ts';

/** This window's drafts, including migrated ones of the first version. */
export function windowDrafts(
	{ globalStorageUri }: Pick<vscode.ExtensionContext, 'globalStorageUri'>,
	storage: EditorStorage,
	shown: Pick<Problems, 'log'>,
): Drafts {
	const files = draftFiles(vscode.Uri.joinPath(globalStorageUri, 'drafts').fsPath);
	takeOverEarlierDrafts(storage, files).catch((error: unknown) => shown.log(error));
	return keptDrafts(files, randomBytes(8).toString('hex'));
}
