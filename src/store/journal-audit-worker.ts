import { parentPort, workerData } from 'node:worker_threads';
import { auditJournal } from './journal-audit.ts';

parentPort?.postMessage(auditJournal(workerData));
