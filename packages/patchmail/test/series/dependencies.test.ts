import assert from 'node:assert/strict';
import { dependenciesOf } from '../../src/series/dependencies.ts';
import { readSeries } from '../../src/series/series.ts';
import { makeSeriesMail, patchText } from '../../../../test/support/makeSeries.ts';

const [one, two] = ['1'.repeat(40), '2'.repeat(40)];

function found(cover: string, patch = patchText('a.c')): readonly unknown[] {
	return dependenciesOf(
		readSeries([
			makeSeriesMail({ id: 1, subject: '[PATCH 0/1] all', body: cover }),
			makeSeriesMail({ id: 2, parentId: 1, subject: '[PATCH 1/1] part', body: patch }),
		]),
	);
}

suite('dependencies of a series', () => {
	test('are patch ids, messages and series, each once and in order', () => {
		const cover = [
			'About.',
			`prerequisite-patch-id: ${two}`,
			`prerequisite-patch-id: ${one}`,
			`prerequisite-patch-id: ${two}`,
			'prerequisite-message-id: <a@forge.test>',
			'prerequisite-change-id: 20261120-fold-abc:v2',
			'prerequisite-change-id: 20261120-other-abc',
			'Depends-on: https://lore.example/r/b%40forge.test/',
			'depends-on: c@forge.test',
			'',
		].join('\n');
		assert.deepEqual(found(cover), [
			{ kind: 'patch', patchId: two },
			{ kind: 'patch', patchId: one },
			{ kind: 'mail', messageId: '<a@forge.test>' },
			{ kind: 'series', changeId: '20261120-fold-abc', version: 2 },
			{ kind: 'series', changeId: '20261120-other-abc', version: undefined },
			{ kind: 'mail', messageId: '<b@forge.test>' },
			{ kind: 'mail', messageId: '<c@forge.test>' },
		]);
	});

	test('are read in a message and below a diff, and not inside it', () => {
		const added = patchText('a.c', 'Why.\n\nDepends-on: <m@forge.test>').replace(
			'+two',
			` prerequisite-patch-id: ${one}\n+two`,
		);
		assert.deepEqual(found('About.\n', `${added}prerequisite-patch-id: ${two}\n`), [
			{ kind: 'mail', messageId: '<m@forge.test>' },
			{ kind: 'patch', patchId: two },
		]);
	});

	test('are none in prose, for a wrong id or for an address without a message', () => {
		const lines = [
			`The prerequisite-patch-id: ${one}`,
			`prerequisite-patch-id: ${one.slice(1)}`,
			'Depends-on: the other series',
			'Depends-on: https://lore.example/r/none',
			'prerequisite-change-id: short',
		];
		assert.deepEqual(found(lines.join('\n')), []);
		const many = Array.from({ length: 80 }, (_, at) => `Depends-on: <${at}@forge.test>\n`).join('');
		assert.equal(found(many).length, 50);
	});
});
