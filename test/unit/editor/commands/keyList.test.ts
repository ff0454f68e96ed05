import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listedCommands } from '../../../../src/editor/commands/keyList.ts';

const manifest: unknown = JSON.parse(readFileSync(join(import.meta.dirname, '../../../../package.json'), 'utf8'));

suite('list of keys', () => {
	test('every command of the palette is listed, those with a chord first and as people press it', () => {
		const listed = listedCommands(manifest, false);
		const chords = listed.map(({ chord }) => chord);
		assert.equal(listed.find(({ command }) => command === 'forge.tickets.resolve')?.chord, 'Alt+J R');
		assert.equal(listed.find(({ command }) => command === 'forge.tickets.markUnread')?.chord, 'Alt+J Shift+M');
		assert.equal(listed.find(({ command }) => command === 'forge.repositories.fileHistory')?.chord, 'Alt+J L');
		assert.equal(
			listed.find(({ command }) => command === 'forge.repositories.copyCloneAddress')?.chord,
			'Alt+J Shift+Y',
		);
		assert.ok(chords.indexOf(undefined) > 10);
		assert.ok(chords.slice(chords.indexOf(undefined)).every((chord) => chord === undefined));
		assert.ok(listed.some(({ command }) => command === 'forge.accounts.signIn'));
		assert.ok(
			!listed.some(({ command }) => command === 'forge.view.tryAgain'),
			'what needs a row is no command of its own',
		);
		assert.equal(new Set(listed.map(({ command }) => command)).size, listed.length);
	});

	test('they stand in the order of their chords, and those without in that of their titles', () => {
		const command = (name: string): object => ({ command: name, title: name });
		const listed = listedCommands(
			{
				contributes: {
					commands: ['zoo', 'next', 'ask', 'board'].map(command),
					keybindings: [
						{ command: 'next', key: 'alt+j n' },
						{ command: 'board', key: 'alt+j b' },
					],
				},
			},
			false,
		);
		assert.deepEqual(
			listed.map(({ title }) => title),
			['board', 'next', 'ask', 'zoo'],
		);
	});

	test('on a Mac the chords are those of a Mac', () => {
		assert.equal(
			listedCommands(manifest, true).find(({ command }) => command === 'forge.tickets.resolve')?.chord,
			'Ctrl+Alt+J R',
		);
	});

	test('what is no manifest lists nothing', () => {
		assert.deepEqual(listedCommands({}, false), []);
	});
});
