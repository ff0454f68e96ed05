import assert from 'node:assert/strict';
import { openChildren, type Children } from '../../harness/children.ts';

suite('child programs of a command', () => {
	let children: Children;
	setup(() => {
		children = openChildren(`${process.pid}-children-test`);
	});
	teardown(() => children.stopAll());

	const run = (script: string, graceMs: number): ReturnType<Children['run']> =>
		children.run(process.execPath, ['-e', script], { limitMs: 60_000, graceMs });

	const leaving = (lastsMs: number): string => `
		const script = 'setTimeout(() => undefined, ${lastsMs})';
		require('node:child_process').spawn(process.execPath, ['-e', script], { stdio: 'inherit' });
		process.stdout.write('all is done', () => process.exit(0));
	`;

	test('a program that leaves a child running ends and fails', async () => {
		const { code, output } = await run(leaving(60_000), 0);
		assert.equal(code, undefined);
		assert.equal(output, 'all is done\nIt left something running, which was ended.');
	});

	test('a child may end shortly after its program', async () => {
		assert.deepEqual(await run(leaving(1), 60_000), { code: 0, output: 'all is done' });
	});
});
