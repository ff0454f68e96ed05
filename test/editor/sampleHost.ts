import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { findGit, repositoryOf, type GitRepository } from '../../src/editor/git/gitApi.ts';
import type { Dialect } from '../support/sampleForge.ts';

/** The account that the sample forge signs in. */
export const connectionKey = 'alice.sample';

/** The open folder's tracker, after `useSampleFolder` has run. */
export const tracker = { owner: '~alice', name: 'lantern' };

/**
 * The dialect of this extension host's sample forge. A host knows one sample forge for its whole life, from its ready
 * line.
 */
export function hostDialect(): Dialect {
	return (process.env['FORGE_DESK_SAMPLE_FORGE'] ?? '').includes('"dialect":"document"') ? 'document' : 'field';
}

/** The open folder. */
export function folder(): string {
	const [first] = vscode.workspace.workspaceFolders ?? [];
	assert.ok(first);
	return first.uri.fsPath;
}

/** Runs git in the open folder. */
export function git(...args: readonly string[]): string {
	return execFileSync('git', args, { cwd: folder(), encoding: 'utf8' });
}

/** Writes a file of the open folder, and opens it without an editor. */
export async function open(name: string, text: string): Promise<vscode.TextDocument> {
	const path = join(folder(), name);
	writeFileSync(path, text);
	return vscode.workspace.openTextDocument(vscode.Uri.file(path));
}

/** An object's address on the sample forge, as its own command copies it. */
export async function address(subject: unknown): Promise<string> {
	await vscode.commands.executeCommand('forge.copyLink', subject);
	return vscode.env.clipboard.readText();
}

/** Starts the sample forge, and makes the open folder that of its repository `lantern`. Idempotent. */
export async function useSampleFolder(): Promise<void> {
	await vscode.commands.executeCommand('forge.sample.start');
	if (git('remote').trim() === '') {
		const web = await address({ kind: 'repository', connectionKey, ref: tracker });
		assert.match(web, /\/~alice\/lantern$/);
		git('remote', 'add', 'origin', web);
	}
	const { state } = await repository();
	if (state.remotes.length === 0) {
		await new Promise<void>((resolve) => {
			const listening = state.onDidChange(() => {
				if (state.remotes.length > 0) {
					listening.dispose();
					resolve();
				}
			});
		});
	}
}

/** The open folder's repository in the editor's own git extension. */
export async function repository(): Promise<GitRepository> {
	const api = await findGit(new AbortController().signal);
	assert.ok(api);
	const found = repositoryOf(api, vscode.Uri.file(folder()));
	assert.ok(found);
	return found;
}
