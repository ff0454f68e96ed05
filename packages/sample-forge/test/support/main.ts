// The sample forge as tests and `npm start` run it: with an origin to steer it by, faults on demand and great numbers.
import { parseArgs } from 'node:util';
import { runForge } from '../../src/runForge.ts';
import { startControlledForge } from './controlledForge.ts';
import { controlledCommandLine, readControlledOptions } from './options.ts';

runForge(async () => {
	const { values } = parseArgs({ options: controlledCommandLine });
	return await startControlledForge(readControlledOptions(values, process.env));
});
