import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestMachine } from './localMachine.ts';

/** A clone whose own files make an unhardened git run programs. Each program leaves a mark. */
export interface TrappedClone {
	readonly root: string;
	/** The commit that is checked out; some of its objects are missing. */
	readonly commit: string;
	/** Names of traps that have sprung since the last look, sorted. */
	sprung(): readonly string[];
}

/** What an unhardened git does to spring a trap. */
export interface Bait {
	readonly trap: string;
	readonly args: readonly string[];
}

/** Traps that an unhardened git walks into without a terminal. */
export const baits: readonly Bait[] = [
	{ trap: 'fsmonitor', args: ['status'] },
	{ trap: 'hook', args: ['checkout', '-q', '-B', 'other'] },
	{ trap: 'external', args: ['diff'] },
	{ trap: 'textconv', args: ['diff', '--no-ext-diff'] },
	{ trap: 'textconv', args: ['grep', '--textconv', '-e', 'x', 'HEAD', '--', '*.conv'] },
	{ trap: 'clean', args: ['add', 'dirty.filter'] },
	{ trap: 'smudge', args: ['checkout', '-q', 'HEAD', '--', 'dirty.filter'] },
	{ trap: 'merge', args: ['merge-tree', '--write-tree', 'side', 'other-side'] },
	{ trap: 'ssh', args: ['ls-remote', 'ssh://forge.test/x'] },
	{ trap: 'proxy', args: ['ls-remote', 'git://forge.test/x'] },
	{ trap: 'ext', args: ['ls-remote', 'ext'] },
	{ trap: 'alias', args: ['work'] },
	{ trap: 'gpg', args: ['log', '-1', '--show-signature', 'signed'] },
	{ trap: 'gpg-ssh', args: ['log', '-1', '--show-signature', 'ssh-signed'] },
	{ trap: 'lazy', args: ['grep', '-e', 'x', 'HEAD'] },
	{ trap: 'lazy', args: ['cat-file', '-e', '0123456789012345678901234567890123456789'] },
	{ trap: 'credential', args: ['credential', 'fill'] },
	{ trap: 'askpass', args: ['credential', 'fill'] },
	// The only one that runs a pager without a terminal.
	{ trap: 'pager', args: ['grep', '-O', '-e', 'lantern'] },
	{ trap: 'editor', args: ['config', '--local', '--edit'] },
	{ trap: 'alternates', args: ['rev-list', '--alternate-refs', '--all'] },
];

/** Hooks of what is done in clones, with patches and with mails. */
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
	writeFileSync(join(root, '.gitattributes'), '*.conv diff=evil\n*.filter filter=evil\n*.merge merge=evil\n');
	writeFileSync(join(root, 'notes.conv'), 'a lantern x\n');
	writeFileSync(join(root, 'dirty.filter'), 'a lantern x\n');
	writeFileSync(join(root, '--output=marked'), 'a lantern x\n');
	writeFileSync(join(root, '-u'), 'a lantern x\n');
	writeFileSync(join(root, 'plain.txt'), 'a lantern x\nand another Lantern\n');
	writeFileSync(join(root, 'gone.txt'), 'lost\n');
	writeFileSync(join(root, 'both.merge'), 'a lantern x\n');
	git('add', '--', '.');
	git('commit', '-q', '-m', 'Begin');
	const commit = git('rev-parse', 'HEAD').trim();
	// Two branches change the same line, and what is between them is for a driver of merges.
	for (const [branch, text] of [
		['side', 'a lamp x\n'],
		['other-side', 'a lantern y\n'],
	] as const) {
		git('checkout', '-q', '-b', branch, commit);
		writeFileSync(join(root, 'both.merge'), text);
		git('commit', '-q', '-a', '-m', `Change ${branch}`);
	}
	git('checkout', '-q', 'main');
	signedAs(machine, root, 'signed', '-----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----');
	signedAs(machine, root, 'ssh-signed', '-----BEGIN SSH SIGNATURE-----\n x\n -----END SSH SIGNATURE-----');
	for (const name of ['refs/heads/--output=ref', 'refs/heads/-u', 'refs/tags/--upload-pack=x']) {
		git('update-ref', name, commit);
	}
	for (const name of ['notes.conv', 'dirty.filter']) {
		writeFileSync(join(root, name), 'changed, and longer than before\n');
	}
	// One blob is missing, so that git wants to fetch it by what the configuration says.
	const lost = git('rev-parse', 'HEAD:gone.txt').trim();
	rmSync(join(root, '.git/objects', lost.slice(0, 2), lost.slice(2)));

	const hooksFolder = join(root, 'hooks');
	mkdirSync(hooksFolder);
	for (const folder of [hooksFolder, join(root, '.git/hooks')]) {
		for (const name of hooks) {
			writeFileSync(join(folder, name), `#!/bin/sh\ntouch '${join(marks, 'hook')}'\n`, { mode: 0o755 });
		}
	}
	// The worst of it stands in another file.
	const included = join(machine.folder, 'included');
	const set = (name: string, value: string): string => git('config', '--file', included, name, value);
	set('core.fsmonitor', program('fsmonitor'));
	set('core.hooksPath', hooksFolder);
	set('core.sshCommand', program('ssh'));
	set('core.gitProxy', program('proxy'));
	set('core.pager', program('pager', 'cat'));
	set('core.askPass', program('askpass'));
	set('core.editor', program('editor'));
	set('core.alternateRefsCommand', program('alternates'));
	set('credential.helper', `!${program('credential')}`);
	set('diff.external', program('external', 'exit 0'));
	set('diff.evil.textconv', program('textconv', 'cat "$1"'));
	set('filter.evil.clean', program('clean', 'cat'));
	set('filter.evil.smudge', program('smudge', 'cat'));
	set('filter.evil.required', 'true');
	set('merge.evil.driver', `${program('merge')} %A`);
	set('merge.default', 'evil');
	set('sequence.editor', program('editor'));
	set('sendemail.smtpServer', program('sendmail'));
	set('sendemail.toCmd', program('tocmd', 'echo eve@evil.test'));
	set('sendemail.ccCmd', program('cccmd', 'echo eve@evil.test'));
	set('sendemail.headerCmd', program('headercmd', 'echo "Bcc: eve@evil.test"'));
	set('sendemail.bcc', 'eve@evil.test');
	set('gpg.program', program('gpg'));
	set('gpg.ssh.program', program('gpg-ssh'));
	set('gpg.ssh.allowedSignersFile', included);
	set('log.showSignature', 'true');
	set('commit.gpgSign', 'true');
	set('push.gpgSign', 'true');
	set('trailer.evil.command', program('trailer'));
	set('alias.work', `!${program('alias')}`);
	set('alias.grep', `!${program('alias')}`);
	set('alias.am', `!${program('alias')}`);
	set('alias.send-email', `!${program('alias')}`);
	set('grep.patternType', 'perl');
	set('color.ui', 'always');
	set('submodule.recurse', 'true');
	set('protocol.allow', 'always');
	set('protocol.ext.allow', 'always');
	set('protocol.file.allow', 'always');
	set('uploadpack.packObjectsHook', program('pack'));
	set('remote.ext.url', `ext::${program('ext')}`);
	set('remote.promisor.url', machine.folder);
	set('remote.promisor.promisor', 'true');
	set('remote.promisor.uploadpack', program('lazy'));
	git('config', 'core.repositoryFormatVersion', '1');
	git('config', 'extensions.partialClone', 'promisor');
	git('config', 'include.path', included);
	// Another repository's objects, so that its references are asked for.
	const other = join(machine.folder, 'alternate');
	mkdirSync(other);
	machine.plain(other, 'init', '-q');
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
	return { root, commit, sprung };
}

/** A tag on a commit whose signature only says that it is one. */
function signedAs(machine: TestMachine, root: string, tag: string, signature: string): void {
	const object = machine.plain(root, 'cat-file', 'commit', 'HEAD');
	const signed = object.replace('\n\n', `\ngpgsig ${signature}\n\n`);
	const id = machine.feed(root, signed, 'hash-object', '-t', 'commit', '-w', '--stdin').trim();
	machine.plain(root, 'tag', tag, id);
}
