import type { GitVersion } from './gitSince.ts';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { blobId } from 'patchmail/patch/blobId.ts';
import { addSettings, type GitSetting } from './gitSettings.ts';
import { importCommits } from './importCommits.ts';
import type { TestMachine } from './localMachine.ts';

/** A clone whose files make an unhardened git run programs. Each program leaves a mark. */
export interface TrappedClone {
	readonly root: string;
	/** The current commit; some of its objects are missing. */
	readonly commit: string;
	/** Path of the included config file; `settings` is its content. */
	readonly included: string;
	readonly settings: readonly GitSetting[];
	/** Names of traps that ran since the last call, sorted. */
	sprung(): readonly string[];
}

/** Commands with which an unhardened git springs a trap. */
export interface Bait {
	readonly trap: string;
	readonly args: readonly string[];
	/** The git version with the command. */
	readonly since?: GitVersion;
}

/** Traps that work on an unhardened git without a terminal. */
export const baits: readonly Bait[] = [
	{ trap: 'fsmonitor', args: ['status'] },
	{ trap: 'hook', args: ['checkout', '-q', '-B', 'other'] },
	{ trap: 'external', args: ['diff'] },
	{ trap: 'textconv', args: ['diff', '--no-ext-diff'] },
	{ trap: 'textconv', args: ['grep', '--textconv', '-e', 'x', 'HEAD', '--', '*.conv'] },
	{ trap: 'clean', args: ['add', 'dirty.filter'] },
	{ trap: 'smudge', args: ['checkout', '-q', 'HEAD', '--', 'dirty.filter'] },
	{ trap: 'merge', args: ['merge-tree', '--write-tree', 'side', 'other-side'], since: '2.38' },
	{ trap: 'ssh', args: ['ls-remote', 'ssh://forge.test/x'] },
	{ trap: 'proxy', args: ['ls-remote', 'git://forge.test/x'] },
	{ trap: 'ext', args: ['ls-remote', 'ext'] },
	{ trap: 'alias', args: ['work'] },
	{ trap: 'gpg', args: ['log', '-1', '--show-signature', 'signed'] },
	{ trap: 'gpg-ssh', args: ['log', '-1', '--show-signature', 'ssh-signed'], since: '2.34' },
	{ trap: 'lazy', args: ['grep', '-e', 'x', 'HEAD'] },
	{ trap: 'lazy', args: ['cat-file', '-e', '0123456789012345678901234567890123456789'] },
	{ trap: 'credential', args: ['credential', 'fill'] },
	{ trap: 'askpass', args: ['credential', 'fill'] },
	// Only this command runs a pager without a terminal.
	{ trap: 'pager', args: ['grep', '-O', '-e', 'lantern'] },
	{ trap: 'editor', args: ['config', '--local', '--edit'] },
	{ trap: 'alternates', args: ['rev-list', '--alternate-refs', '--all'] },
];

/** Hooks of operations on clones, patches and mails. */
const hooks = [
	'applypatch-msg',
	'commit-msg',
	'post-applypatch',
	'post-checkout',
	'post-index-change',
	'post-merge',
	'post-rewrite',
	'pre-applypatch',
	'pre-auto-gc',
	'pre-commit',
	'pre-push',
	'prepare-commit-msg',
	'reference-transaction',
	'sendemail-validate',
] as const;

/** Makes the clone below the machine's folder. */
export function trappedClone(machine: TestMachine): TrappedClone {
	const marks = join(machine.folder, 'marks');
	const root = join(machine.folder, 'trapped');
	mkdirSync(marks);
	mkdirSync(root);
	const program = (trap: string, then = 'exit 1'): string => {
		const path = join(machine.folder, `trap-${trap}`);
		writeFileSync(path, `#!/bin/sh\ntouch '${join(marks, trap)}'\n${then}\n`, { mode: 0o755 });
		return path;
	};
	const git = (...args: readonly string[]): string => machine.plain(root, ...args);

	git('init', '-q', '-b', 'main');
	// An alternate object store, so that git reads its references.
	const other = join(machine.folder, 'alternate');
	cpSync(root, other, { recursive: true });
	const begun = {
		'.gitattributes': '*.conv diff=evil\n*.filter filter=evil\n*.merge merge=evil\n',
		'notes.conv': 'a lantern x\n',
		'dirty.filter': 'a lantern x\n',
		'--output=marked': 'a lantern x\n',
		'-u': 'a lantern x\n',
		'plain.txt': 'a lantern x\nand another Lantern\n',
		'gone.txt': 'lost\n',
		'both.merge': 'a lantern x\n',
	};
	// Two branches change the same line, for a merge driver.
	importCommits(machine, root, [
		{ branch: 'main', message: 'Begin', files: begun },
		{ branch: 'side', from: 'main', message: 'Change side', files: { 'both.merge': 'a lamp x\n' } },
		{ branch: 'other-side', from: 'main', message: 'Change other-side', files: { 'both.merge': 'a lantern y\n' } },
	]);
	git('reset', '-q', '--hard');
	const commit = readFileSync(join(root, '.git/refs/heads/main'), 'utf8').trim();
	const signed = signedAs(machine, root, [
		'-----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----',
		'-----BEGIN SSH SIGNATURE-----\n x\n -----END SSH SIGNATURE-----',
	]);
	const references = [
		['refs/tags/signed', signed[0]],
		['refs/tags/ssh-signed', signed[1]],
		['refs/heads/--output=ref', commit],
		['refs/heads/-u', commit],
		['refs/tags/--upload-pack=x', commit],
	];
	machine.feed(root, references.map((each) => `create ${each.join(' ')}\n`).join(''), 'update-ref', '--stdin');
	for (const name of ['notes.conv', 'dirty.filter']) {
		writeFileSync(join(root, name), 'changed, and longer than before\n');
	}
	// One blob is missing, so git fetches it by the config.
	const lost = blobId(begun['gone.txt']);
	rmSync(join(root, '.git/objects', lost.slice(0, 2), lost.slice(2)));

	const hooksFolder = join(root, 'hooks');
	mkdirSync(hooksFolder);
	for (const folder of [hooksFolder, join(root, '.git/hooks')]) {
		for (const name of hooks) {
			writeFileSync(join(folder, name), `#!/bin/sh\ntouch '${join(marks, 'hook')}'\n`, { mode: 0o755 });
		}
	}
	// The worst settings are in an included file.
	const included = join(machine.folder, 'included');
	const settings: readonly GitSetting[] = [
		['core.fsmonitor', program('fsmonitor')],
		['core.hooksPath', hooksFolder],
		['core.sshCommand', program('ssh')],
		['core.gitProxy', program('proxy')],
		['core.pager', program('pager', 'cat')],
		['core.askPass', program('askpass')],
		['core.editor', program('editor')],
		['core.alternateRefsCommand', program('alternates')],
		['credential.helper', `!${program('credential')}`],
		['diff.external', program('external', 'exit 0')],
		['diff.evil.textconv', program('textconv', 'cat "$1"')],
		['filter.evil.clean', program('clean', 'cat')],
		['filter.evil.smudge', program('smudge', 'cat')],
		['filter.evil.required', 'true'],
		['merge.evil.driver', `${program('merge')} %A`],
		['merge.default', 'evil'],
		['sequence.editor', program('editor')],
		['sendemail.smtpServer', program('sendmail')],
		['sendemail.toCmd', program('tocmd', 'echo eve@evil.test')],
		['sendemail.ccCmd', program('cccmd', 'echo eve@evil.test')],
		['sendemail.headerCmd', program('headercmd', 'echo "Bcc: eve@evil.test"')],
		['sendemail.bcc', 'eve@evil.test'],
		['gpg.program', program('gpg')],
		['gpg.ssh.program', program('gpg-ssh')],
		['gpg.ssh.allowedSignersFile', included],
		['log.showSignature', 'true'],
		['commit.gpgSign', 'true'],
		['push.gpgSign', 'true'],
		['trailer.evil.command', program('trailer')],
		['alias.work', `!${program('alias')}`],
		['alias.grep', `!${program('alias')}`],
		['alias.am', `!${program('alias')}`],
		['alias.forge-desk-recipients', `!${program('alias')}`],
		['alias.send-email', `!${program('alias')}`],
		['grep.patternType', 'perl'],
		['color.ui', 'always'],
		['submodule.recurse', 'true'],
		['protocol.allow', 'always'],
		['protocol.ext.allow', 'always'],
		['protocol.file.allow', 'always'],
		['uploadpack.packObjectsHook', program('pack')],
		['remote.ext.url', `ext::${program('ext')}`],
		['remote.promisor.url', machine.folder],
		['remote.promisor.promisor', 'true'],
		['remote.promisor.uploadpack', program('lazy')],
	];
	addSettings(included, settings);
	addSettings(join(root, '.git/config'), [
		['core.repositoryFormatVersion', '1'],
		['extensions.partialClone', 'promisor'],
		['include.path', included],
	]);
	writeFileSync(join(root, '.git/objects/info/alternates'), `${join(other, '.git/objects')}\n`);
	const sprung = (): readonly string[] => {
		const names = readdirSync(marks).toSorted();
		names.forEach((name) => rmSync(join(marks, name)));
		for (const name of ['marked', 'ref']) {
			if (existsSync(join(root, name))) {
				names.push(name);
			}
		}
		return names;
	};
	sprung();
	return { root, commit, included, settings, sprung };
}

/** Commits with fake signatures. */
function signedAs(machine: TestMachine, root: string, signatures: readonly string[]): readonly string[] {
	const object = machine.plain(root, 'cat-file', 'commit', 'HEAD');
	const files = signatures.map((signature, at) => {
		const file = join(machine.folder, `signed-${at}`);
		writeFileSync(file, object.replace('\n\n', `\ngpgsig ${signature}\n\n`));
		return file;
	});
	const list = files.map((file) => `${file}\n`).join('');
	return machine.feed(root, list, 'hash-object', '-t', 'commit', '-w', '--stdin-paths').trim().split('\n');
}
