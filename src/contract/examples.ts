/** The examples of the API description. A new action type may do without one. */

/** The device of every example. */
export const EXAMPLE_DEVICE_ID = 'dev_01JZ6M6E7K3V4S8T9W0X1Y2Z3A';
const targetDeviceId = EXAMPLE_DEVICE_ID;

export const ACTION_EXAMPLES = [
  { targetDeviceId, actionType: 'DescribeScreen', parameters: {} },
  { targetDeviceId, actionType: 'OpenApp', parameters: { appName: 'TextEdit' } },
  {
    targetDeviceId,
    actionType: 'TakeScreenshot',
    parameters: { format: 'jpeg', maxWidth: 1280 },
    reason: 'to check the layout of the report',
  },
  {
    targetDeviceId,
    actionType: 'RequestAccess',
    parameters: { apps: ['TextEdit'], allow: 'input', minutes: 30 },
    reason: 'to write the report',
  },
  { targetDeviceId, actionType: 'Click', parameters: { elementId: '@12' } },
  { targetDeviceId, actionType: 'TypeText', parameters: { text: 'Dear Ann,\n' } },
  { targetDeviceId, actionType: 'PressKeys', parameters: { keys: 'cmd+s' } },
  { targetDeviceId, actionType: 'ListFiles', parameters: { path: '~/Reports', depth: 2 } },
  { targetDeviceId, actionType: 'ReadFile', parameters: { path: '~/Reports/june.csv' } },
  {
    targetDeviceId,
    actionType: 'WriteFile',
    parameters: { path: '~/Reports/summary.txt', content: 'Total: 16', overwrite: true },
  },
  {
    targetDeviceId,
    actionType: 'MoveFile',
    parameters: { from: '~/Reports/summary.txt', to: '~/Reports/june.txt' },
  },
  { targetDeviceId, actionType: 'TrashFile', parameters: { path: '~/Reports/june.txt' } },
  {
    targetDeviceId,
    actionType: 'RunScript',
    parameters: { interpreter: 'python', folder: '~/Reports', script: 'print(len(open("june.csv").readlines()))' },
    timeoutMs: 60_000,
  },
];

export const TASK_EXAMPLES = [
  {
    name: 'Open the editor and take a picture',
    steps: [
      {
        id: 'open',
        actionType: 'OpenApp',
        targetDeviceId,
        parameters: { appName: 'TextEdit' },
      },
      {
        id: 'shot',
        actionType: 'TakeScreenshot',
        targetDeviceId,
        parameters: {},
        dependsOn: ['open'],
      },
    ],
  },
];
