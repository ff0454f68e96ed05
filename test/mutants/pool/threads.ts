import type { Fault } from '../fault.ts';
import { inRoom } from './inRoom.ts';

export const threadsFaults: readonly Fault[] = [
	...inRoom('threads', [
		{
			name: 'thread-goes-on',
			kind: 'guard',
			file: 'limitedThread.ts',
			text: 'end();\n\t\t\toutcome.reject(signal.reason);',
			replacement: 'outcome.reject(signal.reason);',
			harm: 'a search that was given up keeps a core busy',
		},
		{
			name: 'thread-starts-after-end',
			kind: 'guard',
			file: 'limitedThread.ts',
			text: 'isDisposed = true;',
			replacement: '',
			harm: 'what is asked while the editor ends starts a thread that nobody ends',
		},
		{
			name: 'thread-keeps-process',
			kind: 'guard',
			file: 'limitedThread.ts',
			text: 'worker.unref();',
			replacement: '',
			harm: 'a thread that rests keeps the editor from ending',
		},
		{
			name: 'json-turns-mixed',
			kind: 'await',
			file: 'jsonWorker.ts',
			text: 'await before;',
			replacement: '',
			harm: "two large answers that are read at the same time get each other's items",
		},
		{
			name: 'large-mail-refused',
			kind: 'guard',
			file: 'mailWorker.ts',
			text: 'envelope.length > largestMail && !evenIfLarge',
			replacement: 'envelope.length > largestMail',
			harm: 'a large mail stays raw though somebody asked to read it',
		},
	]),
];
