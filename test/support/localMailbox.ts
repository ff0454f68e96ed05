import { Buffer } from 'node:buffer';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hardenedGit } from 'hardened-git/hardenedGit.ts';
import type { TestMachine } from './localMachine.ts';
import { indexAnswerer } from 'public-inbox/local/indexAnswerer.ts';
import { LocalList, mailboxAt } from 'public-inbox/local/localList.ts';
import type { AskIndex } from 'public-inbox/local/mailSource.ts';
import { boxed } from './generatedMails.ts';

export const never = new AbortController().signal;
const nowMs = Date.UTC(2026, 4, 20, 12);

/** A folder with an index, its thread played by this process. */
export function localPlace() {
	const folder = mkdtempSync(join(tmpdir(), 'mailbox-'));
	const answer = indexAnswerer();
	const ask: AskIndex = (question) => answer(question);
	const file = join(folder, 'index.sqlite');
	const list = async (path: string): Promise<LocalList> =>
		new LocalList(await mailboxAt(path, () => nowMs), ask, file, () => nowMs);
	return {
		folder,
		file,
		ask,
		list,
		/** The list with everything that is in the mailbox now. */
		async read(path: string): Promise<LocalList> {
			const made = await list(path);
			await refreshed(made);
			return made;
		},
		maildir(): string {
			const path = join(folder, 'maildir');
			['new', 'cur', 'tmp'].forEach((name) => mkdirSync(join(path, name), { recursive: true }));
			return path;
		},
		async remove(): Promise<void> {
			await ask({ kind: 'close', file }, never);
			rmSync(folder, { recursive: true, force: true });
		},
	};
}

/** A change of one file of an archive's history. */
export type Change = readonly [path: string, content: Buffer | undefined];

/** Epochs of an archive behind `ssh://archive.test/list/NUMBER`. */
export function epochServer(machine: TestMachine) {
	const folder = join(machine.folder, 'epochs');
	const ssh = join(machine.folder, 'ssh');
	mkdirSync(folder);
	const script = `#!/bin/sh\nfor command; do :; done\nname=\${command##*/}\nexec git upload-pack '${folder}'/"\${name%?}"\n`;
	writeFileSync(ssh, script, { mode: 0o755 });
	const environment = { ...machine.parts.environment, GIT_SSH: ssh, GIT_SSH_VARIANT: 'ssh' };
	return {
		/** With a bare repository for each epoch. */
		folder,
		git: hardenedGit({ ...machine.parts, environment }),
		/** One commit for each change, as public-inbox stores mails. */
		commit(epoch: string, changes: readonly Change[]): void {
			const bare = join(folder, epoch);
			if (!existsSync(bare)) {
				mkdirSync(bare);
				machine.plain(bare, 'init', '-q', '--bare', '-b', 'master');
			}
			const isFirst = !existsSync(join(bare, 'refs/heads/master'));
			const parts = changes.flatMap(([path, content], at) => [
				Buffer.from(
					`commit refs/heads/master\ncommitter A <a@x> ${1_700_000_000 + at} +0000\ndata 1\n.\n${at === 0 && !isFirst ? 'from refs/heads/master^0\n' : ''}`,
				),
				...(content === undefined
					? [Buffer.from(`D ${path}\n`)]
					: [Buffer.from(`M 100644 inline ${path}\ndata ${content.length}\n`), content, Buffer.from('\n')]),
			]);
			machine.feed(bare, Buffer.concat(parts), 'fast-import', '--quiet', '--force');
		},
	};
}

export async function refreshed(list: LocalList): Promise<number> {
	let mails = 0;
	await list.refresh((count) => {
		mails = count;
	}, never);
	return mails;
}

/** Message-IDs of hits without brackets, newest first. */
export async function found(list: LocalList, query: string): Promise<readonly string[]> {
	const { rows } = await list.search({ query, from: 0, rows: 100 }, never);
	return rows.map(({ messageId }) => messageId.replaceAll(/[<>]/g, ''));
}

/** The bytes of the mails under an id, as text. */
export async function textsOf(list: LocalList, messageId: string): Promise<readonly string[]> {
	const { mails } = await list.mail(messageId, 100_000_000, never);
	return mails.map((bytes) => Buffer.from(bytes).toString('latin1'));
}

let made = 0;

/** A small mail, one second after the last one. */
export function mail(id: string, head: Readonly<Record<string, string>> = {}, body = 'Text.\n'): Buffer {
	made += 1;
	const fields = {
		From: 'Alice <alice@example.org>',
		Subject: `Subject of ${id}`,
		Date: new Date(Date.UTC(2026, 4, 1) + made * 1000).toUTCString().replace('GMT', '+0000'),
		'Message-ID': `<${id}@x>`,
		...head,
	};
	const lines = Object.entries(fields).flatMap(([name, value]) => (value === '' ? [] : [`${name}: ${value}\n`]));
	return Buffer.from(`${lines.join('')}\n${body}`, 'latin1');
}

export function mbox(...mails: readonly Buffer[]): Buffer {
	return Buffer.concat(mails.map(boxed));
}
