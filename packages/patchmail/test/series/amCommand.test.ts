import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import * as fc from 'fast-check';
import { amCommand, areBare } from '../../src/series/amCommand.ts';
import { readSeries } from '../../src/series/series.ts';
import { counts, seed } from '../../../../test/support/counts.ts';
import { makeSeriesMail, patchText } from '../../../../test/support/makeSeries.ts';

suite('command to apply a patchset', () => {
	test('needs -p0 if no patch has a/ and b/ in its names', () => {
		const usual = patchText('x.c');
		const bare = usual.replaceAll(/\b[ab]\/x/g, 'x');
		const areAllBare = (...bodies: readonly string[]): boolean =>
			areBare(
				readSeries(
					bodies.map((body, at) =>
						makeSeriesMail({ id: at + 1, subject: `[PATCH ${at + 1}/${bodies.length}] x`, body }),
					),
				).patches,
			);
		assert.ok(areAllBare(bare, bare));
		assert.ok(!areAllBare(bare, usual));
		assert.ok(!areAllBare(usual));
		assert.ok(!areAllBare());
		const address = 'https://forge.test/1/mbox';
		assert.equal(amCommand(address, '-3 -p0'), `curl -s ${address} | git am -3 -p0`);
	});

	test('equals the forge’s command', () => {
		assert.equal(
			amCommand('https://lists.forge.test/~alice/devel/patches/12/mbox'),
			'curl -s https://lists.forge.test/~alice/devel/patches/12/mbox | git am -3',
		);
	});

	test('quotes characters that a shell interprets', () => {
		assert.equal(
			amCommand('https://forge.test/a;rm -rf $HOME/`id`?x=1&y=(2)'),
			"curl -s 'https://forge.test/a;rm%20-rf%20$HOME/%60id%60?x=1&y=(2)' | git am -3",
		);
		assert.equal(amCommand('http://forge.test/a;b'), "curl -s 'http://forge.test/a;b' | git am -3");
		assert.equal(amCommand("https://forge.test/it's"), 'curl -s https://forge.test/it%27s | git am -3');
	});

	test('rejects other schemes, user names, passwords and invalid addresses', () => {
		for (const address of [
			'file:///etc/passwd',
			'ext::sh -c x',
			'xhttps://forge.test/',
			'-o /tmp/x',
			'https://a:b@forge.test/',
			'https://a@forge.test/',
			'https://:b@forge.test/',
			'',
		]) {
			assert.equal(amCommand(address), undefined, address);
		}
		const longest = `https://forge.test/${'a'.repeat(4077)}`;
		assert.equal(amCommand(longest), `curl -s ${longest} | git am -3`);
		assert.equal(amCommand(`${longest}a`), undefined);
	});

	test('passes any address through a shell unchanged', function () {
		this.timeout(60_000);
		const hostile = fc.array(
			fc.oneof(
				fc.constantFrom(
					"'",
					'"',
					'$(id)',
					'`id`',
					';',
					'|',
					'&',
					'\n',
					' ',
					'\\',
					'!',
					'*',
					'~',
					'#',
					'%27',
					'<',
					'>',
					'ü',
				),
				fc.string({ unit: 'binary', maxLength: 5 }),
			),
			{ maxLength: 12 },
		);
		const addresses = fc
			.sample(hostile, { numRuns: counts({ small: 300, full: 5000 }), seed: seed() })
			.map((parts) => `https://forge.test/${parts.join('').replaceAll('\0', '')}`);
		const words = addresses.map((each) => /^curl -s ([^]*) \| git am -3$/.exec(amCommand(each) ?? '')?.[1] ?? '');
		const script = words.map((word) => `printf '%s\\n' ${word}`).join('\n');
		const told = execFileSync('sh', ['-s'], { input: script, encoding: 'utf8', maxBuffer: 1e8 });
		assert.deepEqual(
			told.trimEnd().split('\n'),
			addresses.map((each) => URL.parse(each)?.href.replaceAll("'", '%27')),
		);
	});
});
