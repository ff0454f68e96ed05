// The sample forge for tests and `npm start`: with a control origin, faults and big sizes.
import { parseArgs } from 'node:util';
import { runForge } from '../src/runForge.ts';
import { startControlledForge } from './controlledForge.ts';
import { controlledCommandLine, readControlledOptions } from './options.ts';

runForge(async () => {
	const { values } = parseArgs({ options: controlledCommandLine });
	return await startControlledForge(readControlledOptions(values, process.env));
});
