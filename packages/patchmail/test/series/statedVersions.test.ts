import assert from 'node:assert/strict';
import { statedVersions } from '../../src/series/statedVersions.ts';
import { patchText } from '../../../../test/support/makeSeries.ts';

suite('versions stated in a mail', () => {
	test('come from the lines that b4 writes', () => {
		const text = [
			'Why.',
			'',
			'Changes in v3:',
			'- Fewer words.',
			'- Link to v2: https://lore.example.org/r/20240102-fold-v2-0-bbb@forge.test',
			'',
			'Changes in v2:',
			'- Link to v1: https://lists.forge.test/~alice/devel/%3C20240101-fold-v1-0-aaa%40forge.test%3E',
			'',
			'---',
			'base-commit: 0123456789012345678901234567890123456789',
			'change-id: 20240101-fold-0123456789ab',
			'',
		].join('\n');
		assert.deepEqual(statedVersions(text), {
			changeId: '20240101-fold-0123456789ab',
			links: [
				{ version: 2, messageId: '<20240102-fold-v2-0-bbb@forge.test>' },
				{ version: 1, messageId: '<20240101-fold-v1-0-aaa@forge.test>' },
			],
		});
	});

	test('may also be in a patch', () => {
		const text = `${patchText('a.c')}\n---\nchange-id: 20240101-fold-0123456789ab\n`;
		assert.equal(statedVersions(text).changeId, '20240101-fold-0123456789ab');
	});

	test('tolerate surrounding blanks', () => {
		const text = [
			'\t*   Link to v12:  http://forge.test/r/1@forge.test \t',
			'Link to v1:https://forge.test/r/2@forge.test',
			'change-id:\t  20240101-fold-0123456789ab \t',
		].join('\n');
		assert.deepEqual(statedVersions(text), {
			changeId: '20240101-fold-0123456789ab',
			links: [
				{ version: 12, messageId: '<1@forge.test>' },
				{ version: 1, messageId: '<2@forge.test>' },
			],
		});
	});

	test('exclude quotations, other addresses and contradictions', () => {
		const id = 'change-id: 20240101-fold-0123456789ab\n';
		for (const text of [
			`> ${id}`,
			`${id}change-id: 20240101-other-0123456789ab\n`,
			'Link to v1: 20240101@forge.test\n',
			'Link to v1: https://forge.test/r/no-message-id\n',
			'Link to v1: https://20240101@forge.test/\n',
			'See Link to v1: https://forge.test/r/1@forge.test\n',
			'Link to v1: https://forge.test/r/%ff@forge.test\n',
			'Link to v1: https://forge.test/r/a%3Cb@forge.test\n',
			'Link to v1: https://forge.test/r/a%3Eb@forge.test\n',
			'Link to v1: https://forge.test/r/1@2@forge.test\n',
			'Link to v1: see:https://forge.test/r/1@forge.test\n',
			'Link to v1: https://forge.test/r/1@forge.test or another\n',
			'(See)Link to v1: https://forge.test/r/1@forge.test\n',
			'change-id: 20240101-fold-0123456789ab of another series\n',
		]) {
			assert.deepEqual(statedVersions(text), { changeId: undefined, links: [] }, text);
		}
		const many = Array.from({ length: 50 }, (_, at) => `Link to v1: https://forge.test/${at}@forge.test`).join('\n');
		assert.equal(statedVersions(many).links.length, 10);
	});
});
