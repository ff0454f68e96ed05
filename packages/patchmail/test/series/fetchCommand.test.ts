import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { inRounds } from '../../../../test/support/counts.ts';
import { fetchCommand } from '../../src/series/fetchCommand.ts';

const lamp = {
	repository: 'https://git.forge.test/~bob/lamp',
	reference: 'for-alice',
	since: undefined,
	upTo: undefined,
};

suite('fetch command of a pull request', () => {
	test('names the branch or tag, or else the commit', () => {
		assert.equal(fetchCommand(lamp), 'git fetch https://git.forge.test/~bob/lamp for-alice');
		const upTo = '2'.repeat(40);
		assert.equal(
			fetchCommand({ ...lamp, repository: 'git@git.forge.test:~bob/lamp', reference: undefined, upTo }),
			`git fetch git@git.forge.test:~bob/lamp ${upTo}`,
		);
		for (const repository of ['http://git.forge.test/lamp', 'git.forge.test:~bob/lamp', 'ssh://git.forge.test/lamp']) {
			assert.equal(fetchCommand({ ...lamp, repository }), `git fetch ${repository} for-alice`);
		}
		assert.match(fetchCommand({ ...lamp, reference: 'refs/tags/v1.0' }) ?? '', /refs\/tags\/v1\.0$/);
	});

	test('names HEAD if the mail names no reference', () => {
		assert.match(fetchCommand({ ...lamp, reference: undefined }) ?? '', / HEAD$/);
	});

	test('is undefined if a shell or git could misinterpret a part', () => {
		for (const repository of [
			'--upload-pack=evil',
			'-u',
			'ext::sh -c id',
			'ext::sh',
			'ext::https://x.test',
			'file:///etc',
			'C:/evil',
			'https://x.test/$(id)',
			'https://x.test/a;id',
			'https://x.test/a b',
			'~bob/lamp',
			'lamp',
			"https://x.test/'",
		]) {
			assert.equal(fetchCommand({ ...lamp, repository }), undefined, repository);
		}
		for (const reference of ['--force', 'a b', 'a..b', '$HOME', '`id`', '+main:main', '']) {
			assert.equal(fetchCommand({ ...lamp, reference }), undefined, reference);
		}
	});

	test('adds two safe words or nothing for any mail', () => {
		fc.assert(
			fc.property(fc.string(), fc.string({ unit: 'binary' }), (repository, reference) => {
				const command = fetchCommand({ ...lamp, repository, reference });
				assert.ok(
					command === undefined || /^git fetch [A-Za-z0-9](?!\w*::)[\w.@:/~+-]* [A-Za-z0-9][\w./+-]*$/.test(command),
				);
			}),
			inRounds({ small: 100, full: 2000 }),
		);
	});
});
