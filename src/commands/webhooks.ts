import { command, commands, merged } from './command.ts';
import { all, not, set, signedIn } from './when.ts';

export const webhooksCommands = commands({
	'forge.webhooks.manage': merged('Webhooks…', '', signedIn, {
		choices: [
			'forge.webhooks.receive',
			'forge.webhooks.show',
			'forge.webhooks.check',
			'forge.webhooks.stop',
			'forge.webhooks.removeAll',
		],
	}),
	'forge.webhooks.receive': command('Receive Webhooks…', '', 'never', {
		titles: [['inbox', '5_webhooks@1', all(signedIn, not(set('config.forge.webhooks.receive')))]],
	}),
	'forge.webhooks.stop': command('Stop Receiving Webhooks', '', 'never'),
	'forge.webhooks.show': command('Show Webhooks', '', 'never', {
		titles: [['inbox', '5_webhooks@2', signedIn]],
	}),
	'forge.webhooks.check': command('Check Webhooks', '', 'never'),
	'forge.webhooks.removeAll': command('Remove All Webhooks…', '', 'never'),
});
