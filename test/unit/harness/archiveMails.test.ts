import assert from 'node:assert/strict';
import { mkdirSync, mkdtempDisposableSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listsIn } from '../../foreign/b4/archiveMails.ts';
import { gitIn } from '../../support/patchMakerGit.ts';

suite('archives of mailing lists', () => {
	test('give their newest mails in order of arrival, each at its own second', () => {
		using folder = mkdtempDisposableSync(join(tmpdir(), 'archives-'));
		const repository = join(folder.path, 'devel');
		mkdirSync(repository);
		gitIn(repository, ['init', '--quiet']);
		for (const text of ['first', 'second', 'third']) {
			writeFileSync(join(repository, 'm'), text);
			gitIn(repository, ['add', 'm']);
			gitIn(repository, ['-c', 'user.name=A', '-c', 'user.email=a@b', 'commit', '--quiet', '-m', text]);
		}
		// A removed mail is a commit without the file.
		rmSync(join(repository, 'm'));
		gitIn(repository, ['-c', 'user.name=A', '-c', 'user.email=a@b', 'commit', '--quiet', '--all', '-m', 'removal']);
		const head = 'From x@y Mon Mar  2 10:00:00 2026\n';
		writeFileSync(join(folder.path, 'small.mbox'), `${head}Subject: one\n\nA\n\n${head}Subject: two\n\nB\n`);
		writeFileSync(join(folder.path, 'notes.txt'), 'no list');

		const lists = listsIn(folder.path, 2);
		assert.deepEqual(
			lists.map(({ name, mails }) => [name, mails.map(({ bytes }) => bytes.toString().split('\n')[0])]),
			[
				['devel', ['second', 'third']],
				['small', ['Subject: one', 'Subject: two']],
			],
		);
		for (const { mails } of lists) {
			const [one, other] = mails;
			assert.ok(one && other && other.arrivedMs >= one.arrivedMs + 1000);
		}
	});
});
