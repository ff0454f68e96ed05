import { Emitter } from '@forge-desk/base/event.ts';
import type { CommandTable } from '../../editor/commands/feature.ts';
import { isRecord } from '../../editor/commands/subjects.ts';
import { restorePage } from '../../editor/pages/pageHost.ts';
import type { CheckContext } from './checkContext.ts';
import { connectionPage, connectionSubject } from './connectionPage.ts';

/** Forge: Check Connection. Nothing is asked before the command, or before its page comes back after a reload. */
export function connectionCheckFeature(context: CheckContext) {
	const wanted = new Emitter<void>();
	const commands: CommandTable = {
		'forge.checkConnection': async () => {
			context.pages.open(connectionPage(context, wanted.event));
			// A page that was open already shows an older result.
			wanted.fire();
		},
	};
	return {
		commands,
		restorePage: restorePage(
			(kept) => (isRecord(kept) && kept['kind'] === connectionSubject.kind ? connectionSubject : undefined),
			(panel) => void context.pages.restore(panel, connectionPage(context, wanted.event)),
		),
		dispose: () => wanted.dispose(),
	};
}
